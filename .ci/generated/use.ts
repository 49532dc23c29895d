// A program that uses generated rules: the compiler of TypeScript must accept it, and refuse what is marked.
import { task, test } from "./made/index.js";

const sheet: string = test.sheet({ character: { skills: { navigation: 60 } }, input: { name: "navigation" }, seed: 7 });
const outputs = test.evaluate({ character: sheet, input: { name: "navigation", difficulty: "hard" }, dice: [28] });
const value: number = outputs.active_value;
const outcome: "fools_failure" | "heroic" | "success" | "failure" = outputs.outcome;
// @ts-expect-error a difficulty is one of some words
test.evaluate({ input: { name: "navigation", difficulty: "odd" } });
// @ts-expect-error there is no such output
outputs.active;

const play = task.start({ character: {}, seed: 7 });
// @ts-expect-error there is no such event
play.do("rest");
export default [value, outcome, play.status, play.sheet()];
