// The odds of a ruleset, in a Worker that is started when odds are first asked for.
import { Problem } from "../client.js";

// In Node there is no Worker of the web; its own has other events, and would keep the process running while nobody waits.
const threads = globalThis.Worker
  ? undefined
  : process.getBuiltinModule("node:worker_threads");

function startWorker() {
  if (!threads) {
    return new Worker(new URL("./worker.js", import.meta.url), {
      type: "module",
    });
  }
  const worker = new threads.Worker(new URL("./worker.js", import.meta.url));
  worker.addEventListener = (name, listen) =>
    worker.on(name, (value) =>
      listen(name === "message" ? { data: value } : value),
    );
  worker.unref();
  return worker;
}

// oddsOf returns a function that answers the JSON of a question with JSON, by the plan at an address.
export function oddsOf(plan) {
  const waiting = new Map();
  let worker;
  let asked = 0;
  const settle = (id, act) => {
    const promise = waiting.get(id);
    if (!promise) return; // of a worker that has failed
    waiting.delete(id);
    if (waiting.size === 0) worker.unref?.();
    act(promise);
  };
  const start = () => {
    worker = startWorker();
    worker.addEventListener("message", ({ data: { id, answer, failure } }) =>
      settle(id, ({ resolve, reject }) => {
        if (failure !== undefined) return reject(new Error(failure));
        const { problem } = answer.startsWith('{"problem":')
          ? JSON.parse(answer)
          : {};
        return problem ? reject(new Problem(problem)) : resolve(answer);
      }),
    );
    worker.addEventListener("error", (event) => {
      const reason = new Error(`the odds cannot be loaded: ${event.message}`);
      for (const id of [...waiting.keys()])
        settle(id, ({ reject }) => reject(reason));
      worker.terminate();
      worker = undefined;
    });
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (!worker) start();
      worker.ref?.();
      waiting.set(++asked, { resolve, reject });
      worker.postMessage({ id: asked, plan: plan.href, question });
    });
}
