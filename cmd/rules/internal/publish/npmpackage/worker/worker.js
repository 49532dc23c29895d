// Answers odds by the solvers of the runtime, which are WebAssembly for a system (WASI) of which they need little: a clock,
// chance, and a place to say why they stop.
const node = globalThis.process?.versions?.node !== undefined;
const builtin = (name) => process.getBuiltinModule(name);
const host = node ? builtin("node:worker_threads").parentPort : globalThis;

// unpack returns a body that is unpacked as it arrives, unless a server has done that already. Neither modules nor plans
// begin with the first byte of gzip.
async function unpack(body) {
  const reader = body.getReader();
  let next = await reader.read();
  const isPacked = next.value?.[0] === 0x1f;
  const all = new ReadableStream({
    async pull(to) {
      if (next.done) return to.close();
      to.enqueue(next.value);
      next = await reader.read();
    },
  });
  return isPacked ? all.pipeThrough(new DecompressionStream("gzip")) : all;
}

// read returns a file that is compressed by gzip, as a response with what it holds. A module is compiled while it arrives.
async function read(url) {
  const headers = { "content-type": "application/wasm" };
  if (url.protocol === "file:") {
    const packed = builtin("node:fs").readFileSync(url);
    return new Response(builtin("node:zlib").gunzipSync(packed), { headers });
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Response(await unpack(response.body), { headers });
}

const done = 0;
const badDescriptor = 8;
const notSupported = 58;

// systemFor returns the functions that a module imports. What it does not need says so.
function systemFor(module, memory) {
  const view = () => new DataView(memory().buffer);
  const bytes = (at, size) => new Uint8Array(memory().buffer, at, size);
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return done;
  };
  const known = {
    args_get: () => done,
    args_sizes_get: none,
    environ_get: () => done,
    environ_sizes_get: none,
    fd_fdstat_get: () => badDescriptor,
    fd_prestat_get: () => badDescriptor,
    sched_yield: () => done,
    clock_time_get(clock, precision, at) {
      const now = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
      return done;
    },
    random_get(at, size) {
      crypto.getRandomValues(bytes(at, size));
      return done;
    },
    fd_write(descriptor, list, count, written) {
      let size = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true);
        const length = view().getUint32(list + 8 * i + 4, true);
        console.error(new TextDecoder().decode(bytes(at, length)));
        size += length;
      }
      view().setUint32(written, size, true);
      return done;
    },
    proc_exit(status) {
      throw new Error(`the solver has stopped with status ${status}`);
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = known[name] ?? (() => notSupported);
  }
  return imports;
}

// open returns a function from questions to answers, once the solvers have read a plan.
async function open(plan) {
  const [module, rules] = await Promise.all([
    WebAssembly.compileStreaming(
      read(new URL("./odds.wasm.gz", import.meta.url)),
    ),
    read(new URL(plan)).then((response) => response.arrayBuffer()),
  ]);
  let memory;
  const instance = await WebAssembly.instantiate(
    module,
    systemFor(module, () => memory),
  );
  const solver = instance.exports;
  memory = solver.memory;
  solver._initialize();
  const call = (bytes, act) => {
    const at = solver.reserve(bytes.length) >>> 0; // an address is unsigned
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const size = act() >>> 0;
    const from = solver.result() >>> 0; // first: a call may move the memory
    return new TextDecoder().decode(new Uint8Array(memory.buffer, from, size));
  };
  const problem = call(new Uint8Array(rules), solver.load);
  if (problem) return () => problem;
  return (question) => call(new TextEncoder().encode(question), solver.answer);
}

let solver;

async function answer({ id, plan, question }) {
  try {
    solver ??= open(plan);
    host.postMessage({ id, answer: (await solver)(question) });
  } catch (e) {
    solver = undefined; // whoever asks again loads again
    host.postMessage({ id, failure: String(e?.message ?? e) });
  }
}

if (node) host.on("message", answer);
else host.addEventListener("message", ({ data }) => answer(data));
