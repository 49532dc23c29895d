// Answers requests, one JSON object a line: with the sheet, or with the name and the message of the error.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const modules = new Map();
let out = [];
const flush = () => { process.stdout.write(out.join("")); out = []; };
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { module, rule, ...request } = JSON.parse(line);
  if (request.seed !== undefined) request.seed = BigInt(request.seed);
  let answer;
  try {
    if (!modules.has(module)) modules.set(module, await import(pathToFileURL(resolve(module))));
    answer = modules.get(module)[rule].sheet(request);
  } catch (e) {
    answer = ["Refused", "Failure", "InputError", "DiceError", "Beyond"].includes(e.name) ? `${e.name}: ${e.message}` : e.stack;
  }
  out.push(JSON.stringify(answer) + "\n");
  if (out.length === 1000) flush();
}
flush();
