// Answers requests in Node, one a line.
import { createInterface } from "node:readline";
import { answerLine } from "./answer.mjs";

let out = [];
const flush = () => {
  process.stdout.write(out.join(""));
  out = [];
};
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  out.push(await answerLine(line) + "\n");
  if (out.length === 1000) flush();
}
flush();
