// Asks the installed package what the command answers, and compares. PROGRAM is the command.
import { execFileSync } from "node:child_process";
import { deepStrictEqual, rejects, strictEqual } from "node:assert";

const begun = performance.now();
const { tempestas, haze } = await import("tabletop-rules");
const { Problem, release } = await import("tabletop-rules/tempestas");
const character = { statistics: { int: 25 }, skills: { navigation: 90 }, fatigue: 20 };
const input = { name: "navigation", difficulty: "hard" };
const sheet = await tempestas.test({ character, input, seed: 7 });
console.log(`import and first evaluation: ${(performance.now() - begun).toFixed(1)} ms`);

const rules = (...args) => JSON.parse(execFileSync(process.env.PROGRAM, [...args, "--format", "json"], { input: JSON.stringify(character) }));
const given = ["tempestas", "test", "--character", "-", "--set", "name=navigation", "--set", "difficulty=hard"];
deepStrictEqual(sheet, rules("eval", ...given, "--seed", "7"));
strictEqual(release.revision, sheet.revision);

let asked = performance.now();
deepStrictEqual(await tempestas.test.odds({ character, input, exact: true, joint: true }), rules("odds", ...given, "--exact", "--joint"));
console.log(`first odds: ${(performance.now() - asked).toFixed(0)} ms`);
asked = performance.now();
const odds = await tempestas.test.odds({ character, input, outputs: ["success"] });
console.log(`odds again: ${(performance.now() - asked).toFixed(1)} ms`);
// golden/tempestas/odds_navigation.txtar has the arithmetic: it succeeds 57 times of 100.
strictEqual(odds.odds.success.distribution.find((x) => x.value).p, 0.57);
const task = { name: "navigation", target_value: 8 };
deepStrictEqual(
  await tempestas.task.odds({ character, input: task, policy: ['roll {"difficulty": "hard"}'] }),
  rules("odds", "tempestas", "task", "--character", "-", "--set", "name=navigation", "--set", "target_value=8",
    "--policy", 'roll {"difficulty": "hard"}: true'),
);

const play = await tempestas.task.start({ character, input: task });
strictEqual((await play.do("roll", { difficulty: "hard" }, [35])).output.outcome, "success");
const refuses = (code) => (e) => e instanceof Problem && e.code === code;
await rejects(tempestas.test({ character, input: { name: "navigation", difficulty: "odd" } }), refuses("input"));
await rejects(tempestas.test.odds({ character, input, given: "success" }), refuses("bad-request"));
// golden/haze/odds_effect_die.txtar: 5 comes with one face of ten, 15 with a ten and one of ten.
const abilities = Object.fromEntries(["strength", "agility", "constitution", "willpower", "wits", "intelligence", "wisdom", "charisma", "empathy"]
  .map((name) => [name, 5]));
const effect = await haze.effect.odds({ character: { abilities, skills: {}, exhaustion: { body: 9, mind: 9, soul: 9 } }, input: { dice: 1 } });
const chanceOf = (total) => effect.odds.total.distribution.find((x) => x.value === total)?.p;
deepStrictEqual([5, 10, 15].map(chanceOf), [0.1, undefined, 0.01]);
