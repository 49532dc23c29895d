// Answers requests, one in each line, by the client in the directory of the first argument: over HTTP from the address of
// the second, or from the modules beside the client.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [dir, address, ruleset] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${dir}/${name}`).href);
const { connect, inProcess, overHTTP, Beyond, Problem } = await load(`client/${ruleset}.js`);
const server = await connect(overHTTP(address));
const modules = await connect(inProcess(await load("modules/index.js"), (await load("modules/ruleset.js")).ruleset));

for await (const line of createInterface({ input: process.stdin })) {
  const { way, procedure, id, request, events } = JSON.parse(line);
  const client = way === "server" ? server : modules;
  try {
    if (!procedure) {
      console.log(JSON.stringify(await client[id](request)));
      continue;
    }
    let play = await client[id].start(request);
    for (const { event, input, dice } of events ?? []) {
      if (play.status !== "open") throw new Problem({ code: "not-offered", detail: play.status });
      ({ play } = await play.do(event, input, dice));
    }
    console.log(play.sheet);
  } catch (e) {
    if (e instanceof Beyond) console.log(JSON.stringify({ code: "beyond" }));
    else if (e instanceof Problem) console.log(JSON.stringify({ code: e.code }));
    else throw e;
  }
}
