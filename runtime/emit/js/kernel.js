// The kernel of generated rules: what every rule calls and no rule repeats. It reads characters and inputs by their schema,
// draws and checks faces, computes what JavaScript has no operation for, and writes sheets. It has no dependency and no
// state.

import { Evaluation, takeNone } from "./kernel/dice.js";
import { Beyond, DiceError, InputError, NotOffered, Refused, beyond, raise } from "./kernel/faults.js";
import { isObject, readFitting } from "./kernel/fit.js";
import { Reader, blank, textJSON, write, writeObject } from "./kernel/json.js";
import { doubleText, unknown } from "./kernel/text.js";

export * from "./kernel/dice.js";
export * from "./kernel/faults.js";
export { flatten, limitField, notAmong } from "./kernel/json.js";
export * from "./kernel/lists.js";
export * from "./kernel/numbers.js";
export * from "./kernel/pins.js";
export * from "./kernel/text.js";

const asText = v => v === undefined ? "{}" : typeof v === "string" ? v || "{}" : JSON.stringify(v, jsonOf);

// jsonOf returns a part of an object as JSON has it, which has no bigints, no NaN and no maps.
function jsonOf(_, v) {
  if (v instanceof Map) throw new TypeError("a Map is no object of JSON: write Object.fromEntries(map)");
  if (typeof v === "number" && !isFinite(v)) return doubleText(v);
  if (typeof v !== "bigint") return v;
  if (!Number.isSafeInteger(Number(v))) raise(beyond);
  return Number(v);
}

// compact returns a text of JSON without blanks, and any other as it is.
function compact(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

// read returns a record by its schema. Its errors have no line where nobody has written the text: of an object, or of what
// has been computed.
function read(schema, root, given, isComputed = typeof given !== "string") {
  const fitting = given === undefined ? undefined : readFitting(schema, given);
  if (fitting !== undefined) return fitting;
  const reader = new Reader(root, asText(given));
  try {
    return reader.whole(schema);
  } catch (e) {
    if (!(e instanceof InputError) || !isComputed) throw e;
    throw new InputError(root, e.path, reasonOf(e, reader), 0, 0);
  }
}

// reasonOf returns why a computed value does not fit where a string stands for a double that is no number.
function reasonOf({ reason }, { text, pos }) {
  const odd = /^must be a (whole )?number, not a string$/.test(reason) && /^"(NaN|[+-]Inf)"/.exec(text.slice(pos));
  return odd ? reason.replace("a string", odd[1]) : reason;
}

// checkMembers refuses a request with a member that nothing reads, in which a field of the input stands beside it.
function checkMembers(request, names = ["character", "input", "dice", "seed", "record"]) {
  for (const name in request) {
    if (!names.includes(name)) throw new TypeError(unknown("member", name, names));
  }
}

const WORD = "a whole number from 0 to 2^64 - 1, beyond 2^53 as a BigInt";
const isWord = n => typeof n === "bigint" ? n >= 0n && n < 1n << 64n : Number.isSafeInteger(n) && n >= 0;

const FACES = "a list of numbers, or an object with such a list by the id of each die";
const areNumbers = list => Array.isArray(list) && list.every(n => typeof n === "number");
const areFaces = dice => areNumbers(dice) || isObject(dice) && Object.values(dice).every(areNumbers);

// newSource returns the faces of a request, from which an evaluation takes them.
function newSource({ take }, request, event) {
  for (const name of ["seed", "record"]) {
    if (request[name] !== undefined && !isWord(request[name])) throw new TypeError(`${name} must be ${WORD}`);
  }
  if (request.dice && !areFaces(request.dice)) throw new TypeError(`dice must be ${FACES}`);
  if (Array.isArray(request.dice) && request.seed !== undefined) {
    throw new DiceError("", "faces in a list go with no seed: give them by the id of their die");
  }
  return take(request, event);
}

const writeTexts = list => `[${list.map(textJSON).join(",")}]`;
const writeRolls = rolls => writeObject([...rolls].map(([id, list]) => [id, `[${list.join(",")}]`]));

// facesOf returns the members of the faces of an evaluation, those first that were given beside others that were drawn.
function facesOf({ source, faces }) {
  const members = [["dice", writeRolls(faces)]];
  return source.drawn && source.given ? [["given", writeRolls(source.origin)], ...members] : members;
}

// writeOrigin returns the members with which every sheet begins: of what it is, and the homebrews that have a part.
function writeOrigin({ ruleset, revision }, kind, id, overlays) {
  const members = [["ruleset", textJSON(ruleset)], ["revision", textJSON(revision)], [kind, textJSON(id)]];
  if (overlays) members.push(["overlays", writeObject(overlays.map(([name, outputs]) => [name, writeTexts(outputs)]))]);
  return members;
}
const writeOptions = ({ options }) => writeObject(options.map(([id, value]) => [id, textJSON(value)]));

/** The character of which nothing is given, for a rule that reads none; undefined where something is. */
export const blankCharacter = (schema, given) =>
  /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/.test(asText(given)) ? blank(schema) : undefined;

/** A rule that can be evaluated. */
class Rule {
  /** The outputs of a request: {character, input, dice, seed, record}. */
  evaluate(request = {}) {
    return this.carryOut(request).output;
  }

  /** The sheet of a request as JSON: byte for byte the line of "rules eval --ndjson". */
  sheet(request = {}) {
    const { output, evaluation, notRolled } = this.carryOut(request);
    const members = writeOrigin(this.ruleset, "rule", this.id, this.overlays);
    members.push(["options", writeOptions(this.ruleset)]);
    if (evaluation.source.drawn) members.push(["seed", String(request.seed)]);
    members.push(...facesOf(evaluation));
    if (notRolled) members.push(["not_rolled", writeTexts(notRolled)]);
    members.push(["output", this.textOf(output)]);
    return writeObject(members);
  }

  /** Outputs as JSON, as they stand in a sheet. */
  textOf(outputs) { return write(this.output, outputs); }

  carryOut(request) {
    checkMembers(request);
    const source = newSource(this, request), schema = this.ruleset.character;
    const character = this.blank?.(schema, request.character) ?? read(schema, "character", request.character);
    const input = read(this.input, "input", request.input);
    try {
      return this.runOn(new Evaluation(source), character, input);
    } catch (e) {
      if (!e.missing || request.seed !== undefined || !this.leaveOut) throw e;
      return this.leaveOut(e, request, character, input);
    }
  }

  runOn(evaluation, character, input) {
    return { output: this.run(character, input, evaluation), evaluation };
  }
}

/** Carries a rule out without its idle dice, which nothing reads, after a face was missing. */
export function leaveOutIdle(missing, request, character, input) {
  const without = new Evaluation(newSource(this, request), true);
  try {
    return { ...this.runOn(without, character, input), notRolled: [...new Set(this.idle.map(die => die.id))] };
  } catch (e) {
    throw without.hasEnded || e instanceof Beyond ? e : missing;
  }
}

export const defineRule = (ruleset, definition) => Object.assign(new Rule(), definition, { ruleset });

/** A procedure that can be played: start begins a play of {character, input, dice, seed, record}. */
export const defineProcedure = (ruleset, definition) =>
  ({ ...definition, ruleset, start(request = {}) { return new Play(this, request); } });

const withoutDice = () => new Evaluation(takeNone({}));

// offer carries out an event, whose guard is the requirement without a message.
function offer(event, carryOut) {
  try {
    return carryOut();
  } catch (e) {
    throw e instanceof Refused && e.message === "" ? new NotOffered(event, "open") : e;
  }
}

// The records of a step, but for its own input.
const STEP = ["character", "input", "state"];

function readRecords({ ruleset: { character }, input, state }, records, names, isComputed) {
  const schemas = { character, input, state };
  return names.map(name => read(schemas[name], name, records[name], isComputed));
}

/** A procedure as it is being played. Between two steps its records are JSON, as they stand in its sheet. */
class Play {
  #now; // the records, the status and the outputs

  constructor(procedure, request) {
    checkMembers(request);
    this.procedure = procedure;
    this.events = [];
    this.seed = request.seed; // from which faces are drawn that a step does not give
    const [c, i] = readRecords(procedure, request, ["character", "input"]);
    this.#now = { records: { character: compact(asText(request.character)), input: compact(asText(request.input)) } };
    const evaluation = new Evaluation(newSource(procedure, request));
    const next = procedure.begin(c, i, undefined, undefined, evaluation);
    this.faces = facesOf(evaluation);
    if (evaluation.source.drawn) this.drawnFrom = request.seed;
    this.#now = this.after(next);
  }

  get status() { return this.#now.status; }
  get output() { return this.#now.output; }
  get state() { return JSON.parse(this.#now.records.state); }
  get character() { return JSON.parse(this.#now.records.character); }

  /** What follows from a step: its records, the status and the outputs. */
  after({ state, character }) {
    const { next: [stateType, characterType], close } = this.procedure, records = { ...this.#now.records };
    records.state = write(stateType, state);
    if (characterType) records.character = this.pinned(write(characterType, character));
    const { status, output } = close(...readRecords(this.procedure, records, STEP, true), undefined, withoutDice());
    return { records, status, output };
  }

  /** A new character with the pins of the old one. */
  pinned(text) {
    const [[, { accepts }], [, { digests }]] = this.procedure.ruleset.character.pins, pins = [];
    const had = this.character;
    if (Object.hasOwn(had, "$revision")) pins.push(["$revision", textJSON(accepts[0])]);
    if (Object.hasOwn(had, "$homebrews")) pins.push(["$homebrews", writeObject(digests.map(([id, d]) => [id, textJSON(d)]))]);
    return pins.length ? writeObject(pins).slice(0, -1) + (text === "{}" ? "" : ",") + text.slice(1) : text;
  }

  /** Lets an event happen: {input, dice, seed}. One that is refused, or fails, changes nothing. */
  do(event, request = {}) {
    const { events } = this.procedure, step = Object.hasOwn(events, event) && events[event];
    if (!step) throw new RangeError(unknown("event", event, Object.keys(events)));
    checkMembers(request, ["input", "dice", "seed"]);
    if (this.status !== "open") throw new NotOffered(event, this.status);
    const seed = request.dice ? request.seed : request.seed ?? this.seed;
    const records = readRecords(this.procedure, this.#now.records, STEP);
    let input;
    try {
      input = read(step.input, "event", request.input);
    } catch (misfit) { // the guard, which cannot read the input, comes first
      offer(event, () => step.guard?.(...records, undefined, withoutDice()));
      throw misfit;
    }
    const evaluation = new Evaluation(newSource(this.procedure, { dice: request.dice, seed }, this.events.length + 1));
    const next = offer(event, () => step.run(...records, input, evaluation));
    const happened = { event, input: compact(asText(request.input)), faces: facesOf(evaluation), text: write(step.output, next.output) };
    this.#now = this.after(next);
    this.events = [...this.events, happened];
    if (evaluation.source.drawn) this.drawnFrom = seed;
    this.seed = request.seed ?? this.seed;
    return next.output;
  }

  /** The sheet of the play as JSON: byte for byte the line of "rules eval --ndjson". */
  sheet() {
    const { procedure } = this, { records } = this.#now;
    const members = writeOrigin(procedure.ruleset, "procedure", procedure.id, procedure.overlays);
    members.push(["character", records.character], ["input", records.input], ["options", writeOptions(procedure.ruleset)]);
    if (this.drawnFrom !== undefined) members.push(["seed", String(this.drawnFrom)]);
    const events = this.events.map(({ event, input, faces, text }) =>
      writeObject([["event", textJSON(event)], ["input", input], ...faces, ["output", text]]));
    members.push(...this.faces, ["events", `[${events.join(",")}]`], ["state", records.state],
      ["status", textJSON(this.status)], ["output", write(procedure.output, this.output)]);
    return writeObject(members);
  }
}
