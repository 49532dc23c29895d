// What the clients of all rulesets have in common. It needs no other package, in Node as in a browser.

export class Problem extends Error {
  constructor(details) {
    super([details.path, details.detail].filter(Boolean).join(": "));
    Object.assign(this, details, { name: "Problem" });
  }
}

export class Mismatch extends Error {}

export class Beyond extends Error {}

// A string, or a number: of JSON, strings are passed over so that no digits in them count.
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

// parse reads JSON, and refuses whole numbers that a number of JavaScript would round.
function parse(text) {
  for (const [token] of text.matchAll(tokens)) {
    if (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))) {
      throw new Beyond(`${token} is beyond 2^53`);
    }
  }
  return JSON.parse(text);
}

// write writes JSON, and refuses bigints that a number of JavaScript would round.
function write(value) {
  return JSON.stringify(value, (_, v) => {
    if (typeof v !== "bigint") return v;
    if (!Number.isSafeInteger(Number(v)))
      throw new Beyond(`${v} is beyond 2^53`);
    return Number(v);
  });
}

export function overHTTP(url, { headers = {}, fetch: ask = fetch } = {}) {
  const base = new URL(url.replace(/\/*(v1\/*)?$/, "/v1/"));
  const send = async (path, body) => {
    const kind =
      body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    let answer, text;
    try {
      answer = await ask(new URL(path, base), {
        method,
        body,
        headers: { ...headers, ...kind },
      });
      text = await answer.text();
    } catch (e) {
      const detail = `${base.origin} does not answer: ${e.cause?.message || e.message}`;
      throw new Problem({ status: 0, code: "unreachable", detail });
    }
    if (!answer.ok) throw problemOf(answer.status, text);
    return text;
  };
  return {
    async digest({ ruleset, revision }) {
      const served = JSON.parse(await send(""));
      return served.find(
        (e) => e.ruleset === ruleset && e.revision === revision,
      )?.digest;
    },
    answer: ({ ruleset, revision }, id, what, body) =>
      send(`${ruleset}@${revision}/${id}/${what}`, body),
  };
}

// problemOf reads problem details, which whatever stands before the server need not send.
function problemOf(status, text) {
  try {
    return new Problem(JSON.parse(text));
  } catch {
    return new Problem({ status, code: "http", detail: text });
  }
}

function noOdds() {
  const detail =
    "odds are answered by a server, or by a package that rules generate npm --odds writes";
  throw new Problem({ status: 404, code: "unknown-path", detail });
}

// The codes of the server for the errors of generated modules, by their names.
const codes = {
  Refused: "refused",
  Failure: "no-value",
  InputError: "input",
  DiceError: "dice",
  NotOffered: "not-offered",
};
const statuses = { "not-offered": 409 };

export function inProcess(
  modules,
  release = modules.ruleset,
  { odds = noOdds } = {},
) {
  if (release === undefined || release.digest !== modules.ruleset?.digest) {
    throw new TypeError(
      'inProcess takes the modules of one ruleset: import * as modules from "./tempestas/index.js"',
    );
  }
  const { ruleset, revision, digest } = release;
  const subjects = new Map(Object.values(modules).map((m) => [m.id, m]));
  const guard = (event, ask) => {
    try {
      return ask();
    } catch (e) {
      if (e.name === "Beyond") throw new Beyond(e.message);
      const code = codes[e.name];
      if (!code) throw e;
      const details = { status: statuses[code] ?? 422, code, event };
      if (e.root === undefined) details.detail = e.message;
      else Object.assign(details, { path: e.root + e.path, detail: e.reason });
      if (e.missing) {
        Object.assign(details, { die: e.id, sides: e.sides, shows: e.shows });
      }
      throw new Problem(details);
    }
  };
  return {
    digest: async (release) =>
      release.ruleset === ruleset && release.revision === revision
        ? digest
        : undefined,
    async answer(_, id, what, body) {
      const subject = subjects.get(id);
      if (what === "odds") {
        return odds(JSON.stringify({ ...JSON.parse(body), subject: id }));
      }
      const { options, events = [], ...request } = JSON.parse(body);
      if (!subject) {
        const detail = `${id} was not generated`;
        throw new Problem({ status: 404, code: "unknown-path", detail });
      }
      if (Object.keys(options ?? {}).length > 0) {
        const detail =
          "the options of generated modules are fixed when they are generated";
        throw new Problem({ status: 400, code: "bad-request", detail });
      }
      if (subject.sheet) return guard(undefined, () => subject.sheet(request));
      const play = guard(undefined, () => subject.start(request));
      events.forEach(({ event, ...given }, index) =>
        guard(index, () => play.do(event, given)),
      );
      return play.sheet();
    },
  };
}

export async function connectTo(way, release, names) {
  if (typeof way?.answer !== "function") {
    throw new TypeError(
      'connect takes a way to ask: connect(overHTTP("http://127.0.0.1:7777")), or connect(inProcess(modules))',
    );
  }
  const digest = await way.digest(release);
  if (digest !== release.plan) {
    const found = digest ?? "not there";
    throw new Mismatch(
      `${release.ruleset} ${release.revision} is ${found}; this client is of ${release.plan}`,
    );
  }
  return clientOf(way, release, names);
}

export function clientOf(way, release, { rules, procedures }) {
  const ask = (id, what, body) => way.answer(release, id, what, write(body));
  const oddsOf = (id) => async (request) =>
    parse(await ask(id, "odds", request));
  const client = {};
  for (const id of rules) {
    const rule = async (request) =>
      parse(await ask(id, "eval", withSeed(request)));
    client[memberOf(id)] = Object.assign(rule, { odds: oddsOf(id) });
  }
  for (const id of procedures) {
    client[memberOf(id)] = {
      start: (request) =>
        playOf((body) => ask(id, "eval", body), withSeed(request), []),
      odds: oddsOf(id),
    };
  }
  return Object.freeze(client);
}

// memberOf returns the member that asks for a rule or a procedure: with then, a client would be a promise.
function memberOf(id) {
  return /^then_*$/.test(id) ? id + "_" : id;
}

// withSeed draws a seed where no faces are given. It is kept with the request: the events of a play draw from it too.
function withSeed(request = {}) {
  if (request.dice !== undefined || request.seed !== undefined) return request;
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return { ...request, seed: (high >>> 11) * 2 ** 32 + low };
}

// playOf plays a procedure from its start. All that happened is asked again with each event, so that a play never changes,
// two may follow the same one, and nobody has to keep it.
async function playOf(ask, request, events) {
  const sheet = await ask({ ...request, events });
  const { character, output, state, status } = parse(sheet);
  const play = { character, output, state, status, sheet };
  if (status === "open") {
    play.do = async (event, input = {}, dice) => {
      const next = await playOf(ask, request, [
        ...events,
        { event, input, dice },
      ]);
      const happened = parse(next.sheet).events.at(-1);
      return {
        output: happened.output ?? {},
        dice: happened.dice ?? {},
        play: next,
      };
    };
  }
  return Object.freeze(play);
}
