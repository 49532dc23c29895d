// A program that uses generated rules: the compiler of TypeScript must accept it, and refuse what is marked.
import { InputError, ruleset, task, test } from "./made/index.js";

const sheet: string = test.sheet({ character: { skills: { navigation: 60 } }, input: { name: "navigation" }, seed: 7 });
const outputs = test.evaluate({ character: sheet, input: { name: "navigation", difficulty: "hard" }, dice: [28] });
const value: number = outputs.active_value;
const outcome: "fools_failure" | "heroic" | "success" | "failure" = outputs.outcome;
// @ts-expect-error a difficulty is one of some words
test.evaluate({ input: { name: "navigation", difficulty: "odd" } });
// @ts-expect-error there is no such output
outputs.active;

// @ts-expect-error an input with a field that must be there must be there
test.evaluate();
// @ts-expect-error
test.evaluate({ character: {} });

const play = task.start({ character: {}, input: { name: "navigation", target_value: 8 }, seed: 7n });
play.do("roll");
play.do("roll", { input: { difficulty: "hard" }, dice: [43] });
// @ts-expect-error there is no such event
play.do("rest");
// @ts-expect-error what is played is not written
play.status = "open";
export default [value, outcome, play.status, play.sheet(), ruleset.digest, InputError];
