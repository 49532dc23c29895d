// The reference record by its generated rule. Answers as serve.js does: with "check" as the second argument every field is
// checked in each evaluation, with "run" the records have been checked before.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { blow } from "./blow.js";
import { Evaluation, FaceList } from "./kernel.js";
import { readFitting } from "./kernel/fit.js";
import { ruleset } from "./ruleset.js";

const [file, way] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, "utf8")).map(({ roll, loc_roll, ...character }) => {
  const input = { roll, loc_roll };
  for (const name of Object.keys(character)) {
    if (blow.input.fields.some(field => field[0] === name)) {
      input[name] = character[name];
      delete character[name];
    }
  }
  return { character, input };
});
const fitting = requests.map(({ character, input }) => ({
  character: readFitting(ruleset.character, character), input: readFitting(blow.input, input),
}));
const evaluation = new Evaluation(new FaceList([]));
const evaluate = way === "check" ? i => blow.evaluate(requests[i]) :
  i => blow.run(fitting[i].character, fitting[i].input, evaluation);
let sink = 0;
createInterface({ input: process.stdin }).on("line", line => {
  if (line === "check") {
    console.log(JSON.stringify(requests.map((_, i) => evaluate(i))));
    return;
  }
  const n = Number(line), start = process.hrtime.bigint();
  for (let i = 0; i < n; i++) sink += evaluate(i).effect;
  console.log(String(process.hrtime.bigint() - start));
});
