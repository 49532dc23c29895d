// The kernel of generated rules: what every rule calls and no rule repeats. It reads characters and inputs by their schema,
// draws and checks faces, computes what JavaScript has no operation for, and writes sheets. It has no dependency and no state.
//
// Ints are numbers that are whole, within 2^53 and never -0. A fault is null or {kind, site, a, b}; it is made only where a
// formula has no value. A list is an array of elements; elements of more than one slot are arrays of slots. A map is an
// array of entries in the order of their keys, each an array of its key and the slots of its value.

const MAX_WORK = 4e6, MAX_RANGE = 1000, MAX_CHAIN = 1000, MAX_KEYS = 1000;
const INT = 1, DOUBLE = 2, BOOL = 3, STRING = 4, LIST = 5, MAP = 6, RECORD = 7;

// Errors. Refused and Failure are answers of the rules; InputError and DiceError are mistakes of who asks.

/** What was asked is not legal: a requirement does not hold. */
export class Refused extends Error {
  get name() { return "Refused"; }
}

/** A formula has no value. site says where: its place in the ruleset, the definition, and the citation. */
export class Failure extends Error {
  constructor(reason, site) {
    const [place, name, cite] = site ?? ["", "", ""];
    super([place, name, reason].filter(x => x).join(": ") + (cite && ` (${cite})`));
    this.reason = reason;
    this.site = { place, name, cite };
  }
  get name() { return "Failure"; }
}

/** JSON does not fit its schema. line and column are 0 where no text was given. */
export class InputError extends Error {
  constructor(root, path, reason, line, column) {
    super(`${root}${path}: ${reason}` + (line ? ` (line ${line}, column ${column})` : ""));
    Object.assign(this, { root, path, reason, line, column });
  }
  get name() { return "InputError"; }
}

/** A face was given too many, too few, or the die does not have it. */
export class DiceError extends Error {
  constructor(id, reason, missing = false) {
    super(id ? `${id}: ${reason}` : reason);
    this.id = id;
    this.missing = missing;
  }
  get name() { return "DiceError"; }
}

/** An event of a procedure is not offered: its guard does not hold, or the procedure has ended. */
export class NotOffered extends Error {
  constructor(event, status) {
    super(`event ${event} is not offered` + (status === "open" ? "" : `: the procedure has ended: ${status}`));
  }
  get name() { return "NotOffered"; }
}

/** An int has left 2^53, beyond which numbers of JavaScript are not exact. */
export class Beyond extends Error {
  constructor() { super("a whole number is beyond 2^53, where JavaScript is not exact"); }
  get name() { return "Beyond"; }
}

// Faults.

export const fault = (kind, site, a, b) => ({ kind, site, a, b });

const reasons = {
  divideByZero: () => "division by zero",
  moduloZero: () => "modulus by zero",
  negativePower: a => `pow of integers has no negative exponent: ${a}`,
  notAnInt: a => `range error: ${doubleText(a)} is no int`,
  notAnIntText: a => `${quote(a)} is no int`,
  notADoubleText: a => `${quote(a)} is no double`,
  noElement: (a, b) => `index out of bounds: ${a}, the list has ${b} elements`,
  noSlice: (a, b) => `index out of bounds: the list has no slice from ${a} to ${b}`,
  longRange: (a, b) => `range error: from ${a} to ${b} are more than ${MAX_RANGE} elements`,
  noElements: () => "the list is empty",
  noKey: a => `no such key: ${a}`,
  noDoubleKey: a => `no such key: ${doubleText(a)}`,
  negativePour: () => "range error: an amount or a capacity is negative",
  declared: a => a,
  noFaces: a => `a die has no ${a} faces`,
  negativeCount: a => `${a} dice cannot be rolled`,
  overCount: (a, b) => `${a} dice are more than the ${b} that are declared`,
  overDistinct: (a, b) => `${a} distinct faces are more than the ${b} that the die has`,
  endlessChain: () => `a die was rolled again or on more than ${MAX_CHAIN} times`,
};

/** Ends the evaluation if there is a fault. */
export function raise(f) {
  if (f) throw new Failure(reasons[f.kind](f.a, f.b), f.site);
}

/** Ends the evaluation if a requirement does not hold. */
export function require(holds, message) {
  if (!holds) throw new Refused(message);
}

export const andFault = (a, f, b, g) => !f && !a || !g && !b ? null : f || g;
export const orFault = (a, f, b, g) => !f && a || !g && b ? null : f || g;
export const rowFault = (row, key, site) => row >= 0 ? null : fault("noKey", site, key);
export const doubleRowFault = (row, key, site) => row >= 0 ? null : fault("noDoubleKey", site, key);
export const fail = (holds, site, message) => holds ? null : fault("declared", site, message);

// Ints.

export function safe(x) {
  if (x > Number.MAX_SAFE_INTEGER || x < Number.MIN_SAFE_INTEGER) throw new Beyond();
  return x;
}

const isInt = x => x > -(2 ** 63) && x < 2 ** 63;
export const toInt = x => isInt(x) ? safe(x) + 0 : 0;
export const toIntFault = (x, site) => isInt(x) ? null : fault("notAnInt", site, x);
export const round = x => x < 0 ? -roundUp(-x) : roundUp(x);
const roundUp = x => { const down = Math.floor(x); return x - down >= 0.5 ? down + 1 : down; };

// Quotients of ints within 2^53 may round to the next int, so that the rest decides.
export const modulo = (a, b) => b === 0 ? 0 : a % b + 0;
export const divTrunc = (a, b) => b === 0 ? 0 : (a - a % b) / b + 0;
export const divFloor = (a, b) => divTrunc(a, b) - (modulo(a, b) !== 0 && a < 0 !== b < 0 ? 1 : 0);
export const divCeil = (a, b) => divTrunc(a, b) + (modulo(a, b) !== 0 && a < 0 === b < 0 ? 1 : 0);
export const divAway = (a, b) => a < 0 === b < 0 ? divCeil(a, b) : divFloor(a, b);
export function divHalfUp(a, b) {
  if (b === 0) return 0;
  const q = divFloor(a, b), rest = Math.abs(modulo(a, b)), whole = Math.abs(b);
  const over = a < 0 !== b < 0 && rest ? whole - rest : rest; // the distance from q
  return over >= whole - over ? q + 1 : q;
}
export function powInt(a, n) {
  if (n < 0) return 0;
  if (a === 0 || a === 1 || a === -1) return n === 0 ? 1 : n % 2 === 0 ? a * a : a;
  let p = 1;
  for (; n > 0; n--) p = safe(p * a);
  return p;
}
export const divFault = (b, site) => b === 0 ? fault("divideByZero", site) : null;
export const modFault = (b, site) => b === 0 ? fault("moduloZero", site) : null;
export const powFault = (b, site) => b < 0 ? fault("negativePower", site, b) : null;

// Doubles.

export const minDouble = (a, b) => b < a ? b : a;
export const maxDouble = (a, b) => b > a ? b : a;

// frexp returns a fraction from 0.5 and an exponent of 2 whose product is x, which is finite and not 0.
function frexp(x) {
  let e = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1), f = x * 2 ** -e;
  if (e === -1023) { const [g, d] = frexp(x * 2 ** 54); return [g, d - 54]; }
  while (Math.abs(f) < 0.5) { f *= 2; e--; }
  while (Math.abs(f) >= 1) { f /= 2; e++; }
  return [f, e];
}

// ldexp returns x * 2^e, rounded once.
function ldexp(x, e) {
  if (x === 0 || !isFinite(x)) return x;
  const [f, d] = frexp(x);
  e = Math.max(-2200, Math.min(2200, e + d));
  if (e > 1024) return f * Infinity;
  return e > -1021 ? f * 2 ** (e - 1) * 2 : f * 2 ** (e + 1074) * 2 ** -1074;
}

// powWhole returns a to the power of a whole number that is not negative, as [product, exponent of 2].
function powWhole(a, n) {
  let [f, e] = frexp(a), p = 1, d = 0;
  for (; n > 0; n = Math.floor(n / 2)) {
    if (e < -4096 || e > 4096) return [p, d + e];
    if (n % 2 === 1) { p *= f; d += e; }
    f *= f; e *= 2;
    if (f < 0.5) { f *= 2; e--; }
  }
  return [p, d];
}

const LN2_HIGH = 0.6931471803691238, LN2_LOW = 1.9082149292705877e-10;

function log(x) {
  let [m, k] = frexp(x);
  if (m < Math.SQRT2 / 2) { m *= 2; k--; }
  const s = (m - 1) / (m + 1), square = s * s;
  let series = 0;
  for (let n = 23; n >= 3; n -= 2) series = (series + 1 / n) * square;
  return k * LN2_HIGH + (2 * s + 2 * s * series + k * LN2_LOW);
}

function exp(x) {
  const k = round(x / Math.LN2), r = x - k * LN2_HIGH - k * LN2_LOW;
  let series = 1;
  for (let n = 16; n >= 1; n--) series = 1 + series * r / n;
  return ldexp(series, k);
}

/** a to the power of b, to the bit as the interpreter computes it: Math.pow differs from engine to engine. */
export function powDouble(a, b) {
  if (b === 0 || a === 1) return 1;
  if (b === 1) return a;
  if (a !== a || b !== b) return NaN;
  if (a === 0 || !isFinite(a) || !isFinite(b)) return Math.abs(a) === 1 ? 1 : Math.pow(a, b);
  if (b === 0.5) return Math.sqrt(a);
  if (b === -0.5) return 1 / Math.sqrt(a);
  let whole = Math.trunc(b), part = b - whole;
  if (part !== 0 && a < 0) return NaN;
  if (Math.abs(b) >= 2 ** 63) return a === -1 ? 1 : Math.abs(a) < 1 === b > 0 ? 0 : Infinity;
  if (Math.abs(part) > 0.5) { whole += Math.sign(b); part -= Math.sign(b); }
  let [p, e] = powWhole(Math.abs(a), Math.abs(whole));
  if (a < 0 && whole % 2 !== 0) p = -p;
  if (whole < 0) { p = 1 / p; e = -e; }
  return ldexp(part === 0 ? p : p * exp(part * log(a)), e);
}

// Text. Strings compare, and are counted, by code points.

export function compareText(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) { // surrogates stand for code points behind all others
      x += x >= 0xe000 ? -0x800 : 0x2000;
      y += y >= 0xe000 ? -0x800 : 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

export function sizeText(s) {
  let n = 0;
  for (const _ of s) n++;
  return n;
}
export function indexOfText(s, part) {
  const i = s.indexOf(part);
  return i < 0 ? -1 : sizeText(s.slice(0, i));
}
export const lower = s => s.replace(/[A-Z]+/g, x => x.toLowerCase());
export const upper = s => s.replace(/[a-z]+/g, x => x.toUpperCase());

const isInteger = s => /^[+-]?\d+$/.test(s) && BigInt.asIntN(64, bigOf(s)) === bigOf(s);
const bigOf = s => s[0] === "-" ? -BigInt(s.slice(1)) : BigInt(s[0] === "+" ? s.slice(1) : s);
export const parseInteger = s => isInteger(s) ? safe(Number(s)) + 0 : 0;
export const integerFault = (s, site) => isInteger(s) ? null : fault("notAnIntText", site, s);

// doubleOf returns the number of a text as Go's strconv.ParseFloat reads it; undefined when there is none.
function doubleOf(s) {
  const t = s.toLowerCase();
  if (/^[+-]?(inf|infinity)$/.test(t)) return t[0] === "-" ? -Infinity : Infinity;
  if (t === "nan") return NaN;
  const hex = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?\d+)$/.exec(t);
  if (hex && hex[2] + hex[3]) {
    const v = ldexp(Number(BigInt("0x" + hex[2] + hex[3])), Number(hex[4]) - 4 * hex[3].length);
    return isFinite(v) ? (hex[1] === "-" ? -v : v) : undefined;
  }
  const v = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(t) ? Number(t) : Infinity;
  return isFinite(v) ? v : undefined;
}
export const parseDouble = s => doubleOf(s) ?? 0;
export const doubleFault = (s, site) => doubleOf(s) === undefined ? fault("notADoubleText", site, s) : null;

/** A double with the fewest digits that read back the same, with an exponent from 10^6 on. */
export function doubleText(x) {
  if (x !== x) return "NaN";
  if (!isFinite(x)) return x > 0 ? "+Inf" : "-Inf";
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const [m, e] = x.toExponential().split("e"), n = Number(e);
  if (n < -4 || n >= 6) return `${m}e${n < 0 ? "-" : "+"}${String(Math.abs(n)).padStart(2, "0")}`;
  return n < 0 ? x.toFixed(m.replace(/[-.]/g, "").length - 1 - n) : String(x);
}

// plain writes a double without an exponent.
function plain(x) {
  const [m, e] = x.toExponential().split("e"), n = Number(e), digits = m.replace(/[-.]/g, "");
  if (n < 0) return (x < 0 ? "-" : "") + "0." + "0".repeat(-n - 1) + digits;
  const whole = digits.slice(0, n + 1).padEnd(n + 1, "0"), rest = digits.slice(n + 1);
  return (x < 0 || Object.is(x, -0) ? "-" : "") + whole + (rest && "." + rest);
}

const escapes = { 7: "\\a", 8: "\\b", 12: "\\f", 10: "\\n", 13: "\\r", 9: "\\t", 11: "\\v", 92: "\\\\" };
const isPrintable = c => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(c);

// quote writes a string between quotes, as messages have it.
function quote(s, mark = '"') {
  let out = mark;
  for (const c of s) {
    const n = c.codePointAt(0), hex = n.toString(16);
    out += c === mark ? "\\" + c : escapes[n] ?? (isPrintable(c) ? c : n < 128 ? "\\x" + hex.padStart(2, "0") :
      n < 65536 ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0"));
  }
  return out + mark;
}

// nearest returns the word with the fewest slips from an unknown one; "" when none is near.
function nearest(unknown, words) {
  const letters = sizeText(unknown);
  let best = "", fewest = Math.min(Math.floor((letters + 1) / 3) + 1, letters);
  for (const w of words) {
    const n = slips(unknown, w);
    if (n < fewest || n === fewest && best !== "" && compareText(w, best) < 0) [best, fewest] = [w, n];
  }
  return best;
}

// slips returns how many letters must be put in, taken out, replaced, or swapped with the next one.
function slips(a, b) {
  const x = [...a], y = [...b];
  let rows = [[], [], Array.from({ length: y.length + 1 }, (_, j) => j)];
  for (let i = 0; i < x.length; i++) {
    rows = [rows[1], rows[2], [i + 1]];
    for (let j = 0; j < y.length; j++) {
      let n = Math.min(rows[1][j] + (x[i] === y[j] ? 0 : 1), rows[1][j + 1] + 1, rows[2][j] + 1);
      if (i > 0 && j > 0 && x[i] === y[j - 1] && x[i - 1] === y[j]) n = Math.min(n, rows[0][j - 1] + 1);
      rows[2][j + 1] = n;
    }
  }
  return rows[2][y.length];
}

// Lists and maps.

// compare orders scalars: NaN before all other numbers.
function compare(a, b) {
  if (typeof a === "string") return compareText(a, b);
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : a === a ? 1 : b === b ? -1 : 0;
}

export const sort = list => list.slice().sort(compare);
export const sortBy = (list, keys) => list.map((_, i) => i).sort((a, b) => compare(keys[a], keys[b])).map(i => list[i]);
export const sumInts = list => list.reduce((sum, v) => safe(sum + v), 0);
export const sumDoubles = list => list.reduce((sum, v) => sum + v, 0);
export const least = list => list.length ? list.reduce((best, v) => v < best ? v : best) : 0;
export const greatest = list => list.length ? list.reduce((best, v) => v > best ? v : best) : 0;
export const emptyFault = (list, site) => list.length ? null : fault("noElements", site);
export const elementFault = (list, i, site) => i >= 0 && i < list.length ? null : fault("noElement", site, i, list.length);
const hasSlice = (list, from, to) => 0 <= from && from <= to && to <= list.length;
export const slice = (list, from, to) => hasSlice(list, from, to) ? list.slice(from, to) : [];
export const sliceFault = (list, from, to, site) => hasSlice(list, from, to) ? null : fault("noSlice", site, from, to);
export function range(from, to) {
  const out = [];
  if (to - from <= MAX_RANGE) for (; from < to; from++) out.push(from);
  return out;
}
export const rangeFault = (from, to, site) => to - from > MAX_RANGE ? fault("longRange", site, from, to) : null;
export function counts(list, from, to) {
  const out = [];
  if (to - from >= MAX_RANGE) return out;
  for (let v = from; v <= to; v++) out.push(0);
  for (const v of list) if (v >= from && v <= to) out[v - from]++;
  return out;
}
export const countsFault = (from, to, site) => to - from >= MAX_RANGE ? fault("longRange", site, from, to) : null;
export function pour(amount, capacities) {
  return capacities.map(most => {
    const gets = Math.max(0, Math.min(amount, most));
    amount -= gets;
    return gets;
  });
}
export const pourFault = (amount, capacities, site) =>
  amount < 0 || least(capacities) < 0 ? fault("negativePour", site) : null;

export function find(map, key) {
  for (let i = 0; i < map.length; i++) if (map[i][0] === key) return i;
  return -1;
}
export const findFault = (map, key, site) => find(map, key) >= 0 ? null : fault("noKey", site, key);
export const keys = map => map.map(entry => entry[0]);
/** The map with an entry, which begins with its key. */
export function withEntry(map, entry) {
  const at = map.findIndex(e => compare(e[0], entry[0]) >= 0), out = map.slice();
  if (at < 0) out.push(entry);
  else out.splice(at, out[at][0] === entry[0] ? 1 : 0, entry);
  return out;
}

// Types: the number of a scalar's kind, [LIST, element], [MAP, value], [RECORD, [[name, type, optional, fallible], ...]].

const kindOf = type => Array.isArray(type) ? type[0] : type;

// visit calls a function with each value of a type's slots, from a slot on: of records field by field. It returns the
// slot behind them. here is false within a field that is absent.
function visit(type, slots, at, on) {
  if (kindOf(type) !== RECORD) {
    on.value?.(type, slots[at]);
    return at + 1;
  }
  on.begin?.(type);
  for (const [name, of, optional, fallible] of type[1]) {
    const present = !optional || slots[at++];
    const failed = fallible ? slots[at++] : null;
    if (!present) { at += sizeOf(of); continue; }
    on.field?.(name, failed);
    at = visit(of, slots, at, on);
  }
  on.end?.(type);
  return at;
}

const sizeOf = type => kindOf(type) !== RECORD ? 1 :
  type[1].reduce((n, [, of, optional, fallible]) => n + sizeOf(of) + (optional ? 1 : 0) + (fallible ? 1 : 0), 0);

// An element of one slot is that slot itself.
const slotsOf = (type, element) => sizeOf(type) === 1 ? [element] : element;

/** Whether two lists or maps are equal. NaN equals nothing, and a field that is absent only another that is. */
export function equal(type, a, b) {
  const [kind, of] = type;
  return a.length === b.length && a.every((x, i) => kind === MAP ?
    x[0] === b[i][0] && equalSlots(of, x, b[i], 1) >= 0 : equalSlots(of, slotsOf(of, x), slotsOf(of, b[i]), 0) >= 0);
}

// equalSlots returns the slot behind two equal values; -1 if they differ.
function equalSlots(type, a, b, at) {
  if (kindOf(type) !== RECORD) return (Array.isArray(type) ? equal(type, a[at], b[at]) : a[at] === b[at]) ? at + 1 : -1;
  for (const [, of, optional, fallible] of type[1]) {
    if (optional && a[at] !== b[at]) return -1;
    const present = !optional || a[at];
    at += (optional ? 1 : 0) + (fallible ? 1 : 0);
    if (present && equalSlots(of, a, b, at) < 0) return -1;
    at += sizeOf(of);
  }
  return at;
}

// eachElement calls a function with the slots of each element or entry of a list or a map, and with its key.
function eachElement(type, list, on) {
  for (const x of list) type[0] === MAP ? on(x.slice(1), x[0]) : on(slotsOf(type[1], x));
}

/** Ends the evaluation if a part of a list or a map has failed. */
export function raiseParts(type, list) {
  if (!Array.isArray(type)) return;
  const on = { field: (_, failed) => raise(failed), value: raiseParts };
  eachElement(type, list, slots => visit(type[1], slots, 0, on));
}

/** Ends the evaluation if an output has a double that is no number. */
export function judgeNumbers(output, type, value) {
  if (type === DOUBLE && !isFinite(value)) {
    throw new Failure(`the value is ${doubleText(value)}, not a number`, ["", `output ${output}`, ""]);
  }
  if (!Array.isArray(type)) return;
  const on = { value: (of, v) => judgeNumbers(output, of, v) };
  eachElement(type, value, slots => visit(type[1], slots, 0, on));
}

/** A list or a map as others have it: an array, or an object. */
export function toValue(type, v) {
  if (!Array.isArray(type)) return v;
  const out = [];
  eachElement(type, v, (slots, key) => {
    const value = valueOf(type[1], slots);
    out.push(type[0] === MAP ? [key, value] : value);
  });
  return type[0] === MAP ? Object.fromEntries(out) : out;
}

function valueOf(type, slots) {
  const open = [];
  let result, name;
  const put = v => { open.length ? open.at(-1)[0].push([open.at(-1)[1], v]) : result = v; };
  visit(type, slots, 0, {
    begin() { open.push([[], ""]); },
    field(n) { open.at(-1)[1] = n; },
    value(of, v) { put(toValue(of, v)); },
    end() { put(Object.fromEntries(open.pop()[0])); },
  });
  return result;
}

// Tables.

/** The row of a number by ascending limits; -1 before the first. */
export function rowOf(limits, x) {
  let from = 0, to = limits.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (limits[middle] <= x) from = middle + 1; else to = middle;
  }
  return from - 1;
}

/** The row of a number in a table whose rows end at a last number, stand in another order, or whose keys have bounds. */
export function findRow({ limits, last, order, over }, x) {
  if (over && (x < over[0] || x > over[1])) return -1;
  const at = rowOf(limits, x);
  return at < 0 || last && x > last[at] ? -1 : order ? order[at] : at;
}

// Dice.

const holds = (band, n) => band !== undefined && band[0] <= n && n <= band[1];

/** One evaluation: its faces, and how much work it may still do. */
export class Evaluation {
  constructor(source, idle) {
    this.source = source;
    this.idle = idle; // of each die, whether it is not rolled; undefined: all are
    this.work = MAX_WORK;
    this.faces = new Map(); // by the id of their die, in the order in which the dice fell
  }

  /** Counts work, so that every evaluation ends. */
  charge(n) {
    if ((this.work -= n) < 0) throw new Failure(`the evaluation takes more than ${MAX_WORK} steps`);
  }

  /** Refuses faces that were given and did not fall. */
  end() { this.source.rest(); }

  join(a, b) {
    this.charge((a.length + b.length) / 16);
    return a + b;
  }

  concat(a, b) {
    this.charge(a.length + b.length);
    return a.concat(b);
  }

  /** What a die shows, or a list of what its dice show. loops are the iterations around it. */
  roll(die, guard, faces, count, failed, loops) {
    if (!guard) return die.list ? [] : 0;
    if (!die.list) count = 1;
    const idle = this.idle?.[die.index];
    if (!idle) raise(failed);
    const bad = faces < 1 ? fault("noFaces", die.site, faces) : count < 0 ? fault("negativeCount", die.site, count) :
      die.most && count > die.most ? fault("overCount", die.site, count, die.most) :
      die.distinct && count > faces ? fault("overDistinct", die.site, count, faces) : null;
    if (idle) return bad ? (die.list ? [] : 0) : standIn(die, faces, count);
    raise(bad);
    let next = 0;
    const draw = { die, faces, count, id: die.id.replace(/\[\*\]/g, () => `[${loops[next++]}]`), seen: [] };
    const totals = draw.seen;
    this.charge(count);
    for (let i = 0; i < count; i++) totals.push(this.chain(draw));
    return die.list ? totals : totals[0];
  }

  /** The total of one die that is rolled again and on. */
  chain(draw) {
    const { die, id } = draw;
    let total = 0, again = false, on = 0;
    for (let i = 0; i < MAX_CHAIN; i++) {
      this.charge(1);
      const face = this.source.face(draw), shown = die.shows?.[face - 1] ?? face;
      const fallen = this.faces.get(id);
      if (fallen) fallen.push(shown); else this.faces.set(id, [shown]);
      if (holds(die.again, face) && !(die.once && again)) {
        again = true;
        continue;
      }
      again = false;
      total += die.adds ? shown : face;
      if (!holds(die.explode, face) || die.times && on === die.times) return safe(total);
      on++;
    }
    return raise(fault("endlessChain", die.site));
  }
}

// standIn returns faces that can fall, for a die that is not rolled because nothing reads it.
function standIn(die, faces, count) {
  let face = 1;
  while (face < faces && (holds(die.again, face) || holds(die.explode, face))) face++;
  const worth = die.adds ? die.shows[face - 1] : face;
  return die.list ? Array.from({ length: count }, (_, i) => die.distinct ? i + 1 : worth) : worth;
}

// faceOf returns the number of a face that was given by what it shows.
function faceOf({ die, id, faces, seen }, given, position) {
  const spent = face => die.distinct && seen.includes(face);
  const bad = reason => new DiceError(id, `face ${position} given is ${given}${reason}`);
  const again = " again, but no face falls twice";
  if (die.shows) {
    let reason = `, but the die shows ${listShown(die.shows)}`;
    for (let i = 0; i < die.shows.length; i++) {
      if (die.shows[i] !== given) continue;
      if (!spent(i + 1)) return i + 1;
      reason = again;
    }
    throw bad(reason);
  }
  const face = given === 0 ? die.zero ?? 0 : given;
  if (!Number.isInteger(face) || face < 1 || face > faces) throw bad(`, but the die shows 1 to ${faces}`);
  if (spent(face)) throw bad(again);
  return face;
}

function listShown(shows) {
  const words = [...new Set(shows)].sort((a, b) => a - b), last = words.pop();
  return words.length ? `${words.join(", ")} or ${last}` : `${last}`;
}

/** Faces in the order in which they fall. */
export class FaceList {
  constructor(faces) {
    this.list = faces;
    this.next = 0;
  }
  face(draw) {
    if (this.next === this.list.length) {
      throw new DiceError(draw.id, `too few faces: ${this.list.length} given, and another is needed`, true);
    }
    const given = this.list[this.next++];
    return faceOf(draw, given, this.next);
  }
  /** Refuses faces that did not fall. */
  rest(id = "") {
    if (this.next === this.list.length) return;
    throw new DiceError(id, id && !this.next ? "faces are given, but no such die falls" :
      `too many faces: ${this.list.length} given, but ${this.next} fell`);
  }
}

/** Faces by the id of their die. */
class FacesByID {
  constructor(faces) {
    this.lists = new Map(Object.entries(faces).map(([id, list]) => [id, new FaceList(list)]));
  }
  face(draw) {
    const list = this.lists.get(draw.id);
    if (list) return list.face(draw);
    const near = nearest(draw.id, [...this.lists].filter(([, l]) => !l.next).map(([id]) => id));
    throw new DiceError(draw.id, "no face is given for this die" + (near && `; are those of ${quote(near)} meant`), true);
  }
  rest() {
    for (const id of [...this.lists.keys()].sort(compareText)) this.lists.get(id).rest(id);
  }
}

const CHACHA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** Faces drawn from a seed: the stream of C2SP chacha8rand whose key is the seed, the record, the event and "rules/1". */
export class Seeded {
  constructor(seed, record = 0, event = 0) {
    this.key = new Uint32Array(8);
    [seed, record, event].forEach((n, k) => {
      const bits = BigInt.asUintN(64, BigInt(n));
      this.key[2 * k] = Number(bits & 0xffffffffn);
      this.key[2 * k + 1] = Number(bits >> 32n);
    });
    this.key[6] = 0x656c7572; // "rule"
    this.key[7] = 0x00312f73; // "s/1"
    this.buffer = new Uint32Array(64); // four blocks side by side
    this.counter = 0;
    this.fill();
  }

  fill() {
    const x = new Uint32Array(16);
    const quarter = (a, b, c, d) => {
      let t;
      x[a] += x[b]; t = x[d] ^ x[a]; x[d] = t << 16 | t >>> 16;
      x[c] += x[d]; t = x[b] ^ x[c]; x[b] = t << 12 | t >>> 20;
      x[a] += x[b]; t = x[d] ^ x[a]; x[d] = t << 8 | t >>> 24;
      x[c] += x[d]; t = x[b] ^ x[c]; x[b] = t << 7 | t >>> 25;
    };
    for (let n = 0; n < 4; n++) {
      x.set(CHACHA);
      x.set(this.key, 4);
      x.set([this.counter + n, 0, 0, 0], 12);
      for (let round = 0; round < 8; round += 2) {
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
      }
      for (let i = 0; i < 16; i++) this.buffer[4 * i + n] = i >= 4 && i < 12 ? x[i] + this.key[i - 4] : x[i];
    }
    this.next = 0;
    this.end = this.counter === 12 ? 56 : 64; // the last words of four fills are the next key
  }

  /** The next 64 bits, as two halves. */
  take() {
    if (this.next >= this.end) {
      this.counter += 4;
      if (this.counter === 16) {
        this.key = this.buffer.slice(56);
        this.counter = 0;
      }
      this.fill();
    }
    return [this.buffer[this.next++], this.buffer[this.next++]];
  }

  /** A number below n: the upper half of the product with 64 bits, unless the lower half is among the few too many. */
  below(n) {
    if (n > 2 ** 21) return this.belowBig(BigInt(n));
    for (;;) {
      const [low, high] = this.take(), lower = low * n, upper = high * n + Math.floor(lower / 2 ** 32);
      const few = upper % 2 ** 32 === 0 && lower % 2 ** 32 < n;
      if (!few || lower % 2 ** 32 >= Number(2n ** 64n % BigInt(n))) return Math.floor(upper / 2 ** 32);
    }
  }
  belowBig(n) {
    for (;;) {
      const [low, high] = this.take(), product = (BigInt(high) << 32n | BigInt(low)) * n;
      if (BigInt.asUintN(64, product) >= 2n ** 64n % n) return Number(product >> 64n);
    }
  }

  face({ die, faces, seen }) {
    let face;
    do face = this.below(faces) + 1; while (die.distinct && seen.includes(face));
    return face;
  }
  rest() {}
}

// Reading. A schema is {kind, min, max, not, choices, limits, enum, of, most, least, keys, fields, deep, pins}; a field is
// [name, schema, optional, default as JSON].

const byteLength = text => new TextEncoder().encode(text).length;
const isDigit = c => c >= "0" && c <= "9";
const kindNames = [, "a whole number", "a number", "true or false", "a string", "a list", "an object", "an object"];
const kindOfStart = { '"': "a string", "{": "an object", "[": "a list", t: "true or false", f: "true or false", n: "null",
  "-": "a number" };

function oneOf(words) {
  const quoted = words.slice(0, 12).map(w => quote(w));
  if (words.length > 12) quoted.push(`${words.length - 12} more`);
  return quoted.length === 1 ? quoted[0] : "one of " + quoted.join(", ");
}

const pathStep = name => typeof name === "number" ? `[${name}]` : /^\w+$/.test(name) ? "." + name : `[${quote(name)}]`;

/** Reads one JSON text by a schema: grammar, names, types and bounds are judged where they stand. */
class Reader {
  constructor(root, text) {
    this.root = root;
    this.text = text;
    this.pos = 0;
    this.path = [];
  }

  /** Ends reading with an error: of the value at a place, or of the grammar where reading has come to. */
  refuse(reason, at = this.pos) {
    const before = this.text.slice(0, at), line = before.slice(before.lastIndexOf("\n") + 1);
    throw new InputError(this.root, this.path.map(pathStep).join(""), reason, before.split("\n").length,
      byteLength(line) + 1);
  }
  refuseIn(name, reason, at) {
    this.path.push(name);
    this.refuse(reason, at);
  }

  peek() {
    for (;; this.pos++) {
      const c = this.text[this.pos];
      if (c !== " " && c !== "\n" && c !== "\t" && c !== "\r") return c;
    }
  }
  takes(c) {
    if (this.peek() !== c) return false;
    this.pos++;
    return true;
  }
  /** The next token in words: of a code point beyond ASCII its first byte. */
  next() {
    const c = this.peek();
    if (c === undefined) return "the end";
    const bytes = new TextEncoder().encode(String.fromCodePoint(this.text.codePointAt(this.pos)));
    return quote(String.fromCharCode(bytes[0]), "'");
  }
  refuseType(kind) {
    const c = this.peek();
    const found = c === undefined ? "nothing" : isDigit(c) ? "a number" : kindOfStart[c] ?? this.next();
    this.refuse(`must be ${kindNames[kind]}, not ${found}`);
  }

  whole(schema) {
    const v = this.value(schema);
    if (this.peek() !== undefined) this.refuse("there is more text after the value");
    return schema.deep ? flatten(schema, v) : v;
  }

  value(schema) {
    switch (schema.kind) {
      case INT: case DOUBLE: return this.number(schema);
      case BOOL: return this.bool();
      case STRING: return this.word(schema);
      case LIST: return this.list(schema);
      case MAP: return this.map(schema);
    }
    return this.record(schema);
  }

  bool() {
    this.peek();
    for (const v of [true, false]) {
      if (this.text.startsWith(v, this.pos)) {
        this.pos += `${v}`.length;
        return v;
      }
    }
    return this.refuseType(BOOL);
  }

  digits() {
    const start = this.pos;
    while (isDigit(this.text[this.pos] ?? "")) this.pos++;
    return this.pos - start;
  }

  number(schema) {
    this.peek();
    const start = this.pos;
    if (this.text[start] === "-") this.pos++;
    const first = this.pos;
    if (!this.digits()) {
      this.pos = start;
      this.refuseType(schema.kind);
    }
    if (this.text[first] === "0" && this.pos > first + 1) this.refuse("a number does not begin with 0");
    const end = this.pos;
    if (this.text[this.pos] === ".") {
      this.pos++;
      if (!this.digits()) this.refuse("digits must follow the point");
    }
    if (this.text[this.pos] === "e" || this.text[this.pos] === "E") {
      this.pos++;
      if (this.text[this.pos] === "+" || this.text[this.pos] === "-") this.pos++;
      if (!this.digits()) this.refuse("digits must follow the exponent's e");
    }
    const text = this.text.slice(start, this.pos), v = Number(text);
    if (schema.kind === INT) {
      if (this.pos > end) this.refuse(`must be a whole number, not ${text}`, start);
      if (!isInt(v) && !isInteger(text)) this.refuse(`${text} is too large a number`, start);
      this.judge(schema, v, text, start);
      return safe(v) + 0;
    }
    if (!isFinite(v)) this.refuse(`${text} is too large a number`, start);
    this.judge(schema, v, text, start);
    return v;
  }

  judge({ min, max, not, choices }, v, text, at) {
    if (min && (v < min[0] || min[1] && v === min[0])) {
      this.refuse(`must be ${min[1] ? "more than" : "at least"} ${doubleText(min[0])}, not ${text}`, at);
    }
    if (max && (v > max[0] || max[1] && v === max[0])) {
      this.refuse(`must be ${max[1] ? "less than" : "at most"} ${doubleText(max[0])}, not ${text}`, at);
    }
    if (not?.includes(v)) this.refuse(choices ? `must be one of ${choices}, not ${text}` : `must not be ${text}`, at);
  }

  quoted(kind = STRING) {
    if (!this.takes('"')) this.refuseType(kind);
    let out = "", start = this.pos;
    for (;; this.pos++) {
      const c = this.text[this.pos];
      if (c === undefined) this.refuse("a string does not end");
      if (c === '"') return out + this.text.slice(start, this.pos++);
      if (c < " ") {
        const code = c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        this.refuse(`a string has the control character U+${code}; write it as an escape`);
      }
      if (c === "\\") {
        out += this.text.slice(start, this.pos) + this.escape();
        start = this.pos + 1;
      }
    }
  }
  /** Reads an escape up to its last character. */
  escape() {
    const c = this.text[++this.pos];
    if (c === undefined) this.refuse("a string does not end");
    const i = '"\\/bfnrt'.indexOf(c);
    if (i >= 0) return '"\\/\b\f\n\r\t'[i];
    if (c !== "u") {
      const bytes = new TextEncoder().encode(String.fromCodePoint(this.text.codePointAt(this.pos)));
      this.refuse(`${quote("\\" + String.fromCharCode(bytes[0]))} is no escape`);
    }
    this.pos++;
    const first = this.hex();
    if (first < 0xd800 || first >= 0xe000) {
      this.pos--;
      return String.fromCharCode(first);
    }
    if (first >= 0xdc00 || !this.text.startsWith("\\u", this.pos)) this.refuse("half a surrogate pair stands alone");
    this.pos += 2;
    const second = this.hex();
    if (second < 0xdc00 || second >= 0xe000) this.refuse("half a surrogate pair stands alone");
    this.pos--;
    return String.fromCharCode(first, second);
  }
  hex() {
    const text = this.text.slice(this.pos, this.pos + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(text)) this.refuse("four digits must follow \\u");
    this.pos += 4;
    return parseInt(text, 16);
  }

  word(schema) {
    this.peek();
    const start = this.pos, v = this.quoted();
    if (schema.enum && !schema.enum.includes(v)) this.refuseChoice("must be", v, schema.enum, start);
    return v;
  }
  refuseChoice(must, found, words, at) {
    const near = nearest(found, words);
    this.refuse(`${must} ${oneOf(words)}, not ${quote(found)}` + (near && `; did you mean ${quote(near)}`), at);
  }

  list({ of, least, most }) {
    if (!this.takes("[")) this.refuseType(LIST);
    const out = [];
    while (!this.takes("]")) {
      if (out.length && !this.takes(",")) this.refuse(`a comma or ] must follow an element, not ${this.next()}`);
      if (out.length === most) this.refuse(`must have at most ${most} elements`);
      this.path.push(out.length);
      out.push(this.value(of));
      this.path.pop();
    }
    if (out.length < (least ?? 0)) this.refuse(`must have at least ${least} elements, not ${out.length}`);
    return out;
  }

  /** Reads the name of the n-th member, and its colon. */
  name(n) {
    if (n && !this.takes(",")) this.refuse(`a comma or } must follow a value, not ${this.next()}`);
    const c = this.peek();
    if (c === '"') return this.quoted();
    const advice = c === "}" && n ? ": leave out the comma behind the last value" : c === "'" ? ": JSON has double quotes" :
      /[A-Za-z_]/.test(c ?? "") ? ": put the name in double quotes" : "";
    return this.refuse(`a name in quotes is expected, not ${this.next()}${advice}`);
  }
  colon(name) {
    if (!this.takes(":")) this.refuse(`a colon must follow the name ${quote(name)}, not ${this.next()}`);
  }
  /** Where the name that has just been read begins, if it has no escapes: so many bytes back. */
  startOf(name) {
    let at = this.pos;
    for (let n = byteLength(name) + 2; n > 0;) {
      const c = this.text.charCodeAt(--at);
      n -= c < 0x80 ? 1 : c < 0x800 || c >= 0xd800 && c < 0xe000 ? 2 : 3; // half a surrogate pair is two bytes of four
    }
    return at;
  }

  record(schema) {
    if (!this.takes("{")) this.refuseType(RECORD);
    const out = {}, seen = new Set();
    for (let n = 0; !this.takes("}"); n++) {
      const name = this.name(n), field = schema.fields.find(f => f[0] === name);
      if (!field) {
        this.other(schema, name, seen);
        continue;
      }
      if (seen.has(name)) this.refuseIn(name, "stands here twice", this.startOf(name));
      seen.add(name);
      this.path.push(name);
      this.colon(name);
      out[name] = this.value(field[1]);
      this.path.pop();
    }
    const record = {};
    for (const [name, of, optional, preset] of schema.fields) {
      if (seen.has(name)) record[name] = out[name];
      else if (preset !== undefined) record[name] = new Reader(this.root, preset).value(of);
      else if (!optional) this.refuseIn(name, "is missing");
      else record[name] = undefined;
    }
    for (const [name, of] of schema.fields) if (of.limits) this.judgeLimits(schema, record, name, of);
    return record;
  }

  /** Reads a member of a record that is no field. */
  other(schema, name, seen) {
    const at = this.startOf(name);
    if (schema.pins && (name === "$revision" || name === "$homebrews")) {
      if (seen.has(name)) this.refuseIn(name, "stands here twice", at);
      seen.add(name);
      this.path.push(name);
      this.colon(name);
      this.peek();
      if (name === "$revision") this.pinRevision(schema.pins); else this.pinHomebrews(schema.pins);
      this.path.pop();
      return;
    }
    const names = schema.fields.map(f => f[0]), near = nearest(name, names);
    this.refuseIn(name, !names.length ? "there is no such field: nothing is asked for" :
      "there is no such field; " + (near ? `did you mean ${quote(near)}` : `it must be ${oneOf(names)}`), at);
  }
  pinRevision({ revision }) {
    const at = this.pos, text = this.quoted();
    if (text === revision || revision.includes(" ") && text === revision.slice(revision.indexOf(" ") + 1)) return;
    this.refuse(`the character is pinned to ${quote(text)}, and this is ${quote(revision)}: use the release that it is ` +
      "pinned to, or pin it anew", at);
  }
  pinHomebrews({ homebrews }) {
    const at = this.pos, named = new Set();
    if (!this.takes("{")) this.refuseType(RECORD);
    while (!this.takes("}")) {
      const before = this.pos, id = this.name(named.size);
      if (named.has(id)) this.refuseIn(id, "stands here twice", before);
      named.add(id);
      this.colon(id);
      this.path.push(id);
      this.peek();
      const start = this.pos, digest = this.quoted(), known = homebrews.find(h => h[0] === id)?.[1];
      if (known === undefined) {
        this.refuse(`the character is played with the homebrew ${id}, which is not used here: use it, or pin the ` +
          "character anew", start);
      }
      if (known === "") this.refuse(`nobody knows the digest of the homebrew ${id} that is used here`, start);
      if (known !== digest) {
        this.refuse(`the homebrew ${id} that is used here is another: its digest is ${known}, not ${digest}: use the one ` +
          "that the character names, or pin the character anew", start);
      }
      this.path.pop();
    }
    for (const [id] of homebrews) {
      if (named.has(id)) continue;
      this.refuse(`the character is played without the homebrew ${id}, which is used here: leave it out, or pin the ` +
        "character anew", at);
    }
  }

  /** Judges the bounds that other fields of a record set for a number. */
  judgeLimits(schema, record, name, of) {
    const v = record[name];
    if (v === undefined) return;
    for (const [upper, open, paths, plus, words] of of.limits) {
      let sum = plus, whole = Number.isInteger(plus), known = true;
      for (const path of paths) {
        const [term, kind] = numberAt(schema, record, path);
        known &&= term !== undefined;
        sum += term;
        whole &&= kind === INT;
      }
      if (!known || (upper ? v < sum : v > sum) || v === sum && !open) continue;
      this.refuseIn(name, `must be ${words}, which is ${plain(sum)}, not ${plain(v)}`, this.pos - 1);
    }
  }

  map(schema) {
    if (!this.takes("{")) this.refuseType(MAP);
    const out = [], seen = new Set(), fields = schema.fields ?? [];
    while (!this.takes("}")) {
      const name = this.name(out.length), field = fields.find(f => f[0] === name);
      if (!field && schema.keys && !schema.keys.includes(name)) {
        const words = [...schema.keys, ...fields.map(f => f[0]).filter(f => !schema.keys.includes(f))];
        this.refuseChoice("a key must be", name, words, this.startOf(name));
      }
      this.path.push(name);
      this.colon(name);
      seen.add(name);
      out.push([name, this.value(field?.[1] ?? schema.of)]);
      this.path.pop();
    }
    for (const [name, of, optional, preset] of fields) {
      if (optional || seen.has(name)) continue;
      if (preset === undefined) this.refuseIn(name, "is missing");
      out.push([name, new Reader(this.root, preset).value(of)]);
    }
    const most = Math.min(schema.most || MAX_KEYS, MAX_KEYS);
    if (out.length > most) this.refuse(`must have at most ${most} keys`);
    for (let i = 1; i < out.length; i++) { // by insertion: files mostly have them in order
      for (let k = i; k > 0; k--) {
        const order = compareText(out[k - 1][0], out[k][0]);
        if (order === 0) this.refuseIn(out[k][0], "stands here twice");
        if (order < 0) break;
        [out[k - 1], out[k]] = [out[k], out[k - 1]];
      }
    }
    return out;
  }
}

// numberAt returns the number at a path of names from a record, and its kind; undefined where a part is absent.
function numberAt(schema, v, path) {
  for (const name of path) {
    const field = schema.fields?.find(f => f[0] === name);
    v = schema.kind === MAP ? v.find(entry => entry[0] === name)?.[1] : v[name];
    if (v === undefined) return [];
    schema = field?.[1] ?? schema.of;
  }
  return [v, schema.kind];
}

// flatten puts the records in lists and maps into slots.
function flatten(schema, v) {
  if (!schema.deep || v === undefined) return v;
  switch (schema.kind) {
    case LIST: return v.map(x => {
      const slots = slotsIn(schema.of, x, []);
      return slots.length === 1 ? slots[0] : slots;
    });
    case MAP: return v.map(([name, x]) => slotsIn(schema.fields?.find(f => f[0] === name)?.[1] ?? schema.of, x, [name]));
  }
  for (const [name, of] of schema.fields) if (of.deep) v[name] = flatten(of, v[name]);
  return v;
}

// slotsIn appends the slots of a value; of one that is absent, zeros.
function slotsIn(schema, v, out) {
  if (schema.kind !== RECORD) {
    out.push(v === undefined ? zeros[schema.kind] : flatten(schema, v));
    return out;
  }
  for (const [name, of, optional] of schema.fields) {
    const x = v?.[name];
    if (optional) out.push(x !== undefined);
    slotsIn(of, x, out);
  }
  return out;
}

const zeros = [, 0, 0, false, "", [], []];

// Writing.

const controls = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t" };

/** A string as JSON. */
const textJSON = s => '"' + s.replace(/["\\\u0000-\u001f]/g,
  c => controls[c] ?? "\\u00" + c.charCodeAt(0).toString(16).padStart(2, "0")) + '"';

function doubleJSON(x) {
  if (!isFinite(x)) return textJSON(doubleText(x));
  const s = Object.is(x, -0) ? "-0" : String(x).replace(/e([+-])(\d)$/, "e$10$2");
  return /[.e]/.test(s) ? s : s + ".0";
}

// write writes a value of a type as JSON, with the members of maps in the order of their keys.
function write(type, v) {
  switch (kindOf(type)) {
    case DOUBLE: return doubleJSON(v);
    case STRING: return textJSON(v);
    case LIST: return `[${v.map(x => write(type[1], x)).join(",")}]`;
    case MAP: return writeObject(Object.keys(v).sort(compareText).map(k => [k, write(type[1], v[k])]));
    case RECORD: return writeObject(type[1].filter(f => v[f[0]] !== undefined).map(([k, of]) => [k, write(of, v[k])]));
  }
  return String(v);
}
const writeObject = members => `{${members.map(([k, text]) => `${textJSON(k)}:${text}`).join(",")}}`;

// Rules.

const asText = v => v === undefined ? "{}" : typeof v === "string" ? v || "{}" : JSON.stringify(v);

// compact returns a text of JSON without blanks, and any other as it is.
function compact(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function read(schema, root, given) {
  const reader = new Reader(root, asText(given));
  try {
    return reader.whole(schema);
  } catch (e) {
    if (e instanceof InputError && typeof given !== "string") throw new InputError(root, e.path, e.reason, 0, 0);
    throw e;
  }
}

function newSource({ dice, seed, record }, event) {
  if (dice && seed !== undefined) throw new DiceError("", "faces are given or drawn from a seed, not both");
  if (Array.isArray(dice)) return new FaceList(dice);
  if (dice) return new FacesByID(dice);
  return seed === undefined ? new FaceList([]) : new Seeded(seed, record, event);
}

const writeTexts = list => `[${list.map(textJSON).join(",")}]`;
const writeFaces = faces => writeObject([...faces].map(([id, list]) => [id, `[${list.join(",")}]`]));

// writeOrigin returns the members with which every sheet begins: of what it is, and the homebrews that have a part.
function writeOrigin({ ruleset, revision }, kind, id, overlays) {
  const members = [["ruleset", textJSON(ruleset)], ["revision", textJSON(revision)], [kind, textJSON(id)]];
  if (overlays) members.push(["overlays", writeObject(overlays.map(([name, outputs]) => [name, writeTexts(outputs)]))]);
  return members;
}
const writeOptions = ({ options }) => writeObject(options.map(([id, value]) => [id, textJSON(value)]));

/** A rule that can be evaluated. */
class Rule {
  constructor(ruleset, definition) {
    Object.assign(this, definition);
    this.ruleset = ruleset;
  }

  /** The outputs of a request: {character, input, dice, seed, record}. */
  evaluate(request = {}) {
    return this.carryOut(request).output;
  }

  /** The sheet of a request as JSON: byte for byte that of "rules eval". */
  sheet(request = {}) {
    const { output, faces, notRolled } = this.carryOut(request);
    const members = writeOrigin(this.ruleset, "rule", this.id, this.overlays);
    members.push(["options", writeOptions(this.ruleset)]);
    if (request.seed !== undefined && faces.size) members.push(["seed", String(request.seed)]);
    members.push(["dice", writeFaces(faces)]);
    if (notRolled) members.push(["not_rolled", writeTexts(notRolled)]);
    members.push(["output", this.textOf(output)]);
    return writeObject(members);
  }

  /** Outputs as JSON, as they stand in a sheet. */
  textOf(outputs) { return write(this.output, outputs); }

  carryOut(request) {
    const source = newSource(request, 0), { needsCharacter, dice = [] } = this;
    const isEmpty = /^\s*\{\s*\}\s*$/.test(asText(request.character));
    const character = !needsCharacter && isEmpty ? {} : read(this.ruleset.character, "character", request.character);
    const input = read(this.input, "input", request.input);
    try {
      return this.runOn(new Evaluation(source), character, input);
    } catch (e) {
      const idle = dice.map(d => d.idle === true);
      if (!e.missing || request.seed !== undefined || !idle.includes(true)) throw e;
      try {
        const done = this.runOn(new Evaluation(newSource(request, 0), idle), character, input);
        done.notRolled = [...new Set(dice.filter(d => d.idle).map(d => d.id))];
        return done;
      } catch {
        throw e;
      }
    }
  }

  runOn(evaluation, character, input) {
    return { output: this.run(character, input, evaluation), faces: evaluation.faces };
  }
}

export const defineRule = (ruleset, definition) => new Rule(ruleset, definition);

/** A procedure that can be played. */
class Procedure {
  constructor(ruleset, definition) {
    Object.assign(this, definition);
    this.ruleset = ruleset;
  }

  /** Begins a play: {character, input, dice, seed, record}. */
  start(request = {}) { return new Play(this, request); }
}

export const defineProcedure = (ruleset, definition) => new Procedure(ruleset, definition);

/** A procedure as it is being played. Between two steps its records are JSON, as they stand in its sheet. */
class Play {
  constructor(procedure, request) {
    this.procedure = procedure;
    this.records = { character: compact(asText(request.character)), input: compact(asText(request.input)) };
    this.events = [];
    this.status = "open";
    this.seed = request.seed; // from which faces are drawn that a step does not give
    const [c, i] = this.read("character", "input");
    const evaluation = new Evaluation(newSource(request, 0));
    const next = procedure.begin(c, i, undefined, undefined, evaluation);
    this.faces = evaluation.faces;
    if (evaluation.faces.size) this.drawnFrom = request.seed;
    Object.assign(this, this.after(next));
  }

  get state() { return JSON.parse(this.records.state); }
  get character() { return JSON.parse(this.records.character); }

  /** Reads records by their schemas. */
  read(...names) {
    const { procedure, records } = this;
    const schemas = { character: procedure.ruleset.character, input: procedure.input, state: procedure.state };
    return names.map(name => read(schemas[name], name, records[name]));
  }

  /** What follows from a step: its records, the status and the outputs. */
  after({ state, character }) {
    const { next: [stateType, characterType], close } = this.procedure, records = { ...this.records };
    records.state = write(stateType, state);
    if (characterType) records.character = this.pinned(write(characterType, character));
    const closing = Object.assign(Object.create(Play.prototype), this, { records });
    const { status, output } = close(...closing.read("character", "input", "state"), undefined,
      new Evaluation(new FaceList([])));
    return { records, status, output };
  }

  /** A new character with the pins of the old one. */
  pinned(text) {
    const { revision, homebrews } = this.procedure.ruleset.character.pins, had = JSON.parse(this.records.character);
    const pins = [], digests = homebrews.map(([id, digest]) => [id, textJSON(digest)]);
    if (Object.hasOwn(had, "$revision")) pins.push(["$revision", textJSON(revision)]);
    if (Object.hasOwn(had, "$homebrews")) pins.push(["$homebrews", writeObject(digests)]);
    return pins.length ? writeObject(pins).slice(0, -1) + (text === "{}" ? "" : ",") + text.slice(1) : text;
  }

  /** Lets an event happen: {input, dice, seed}. One that is refused, or fails, changes nothing. */
  do(event, request = {}) {
    const step = Object.hasOwn(this.procedure.events, event) && this.procedure.events[event];
    if (!step) throw new RangeError(`there is no event ${quote(event)}`);
    if (this.status !== "open") throw new NotOffered(event, this.status);
    const seed = request.dice ? request.seed : request.seed ?? this.seed, text = compact(asText(request.input));
    const records = this.read("character", "input", "state");
    const input = read(step.input, "event", text);
    const evaluation = new Evaluation(newSource({ dice: request.dice, seed }, this.events.length + 1));
    let next;
    try {
      next = step.run(...records, input, evaluation);
    } catch (e) {
      throw e instanceof Refused && e.message === "" ? new NotOffered(event, "open") : e;
    }
    const happened = { event, input: text, faces: evaluation.faces, text: write(step.output, next.output) };
    Object.assign(this, this.after(next));
    this.events = [...this.events, happened];
    if (evaluation.faces.size && seed !== undefined) this.drawnFrom = seed;
    this.seed = request.seed ?? this.seed;
    return next.output;
  }

  /** The sheet of the play as JSON: byte for byte that of "rules eval". */
  sheet() {
    const { procedure, records } = this;
    const members = writeOrigin(procedure.ruleset, "procedure", procedure.id, procedure.overlays);
    members.push(["character", records.character], ["input", records.input], ["options", writeOptions(procedure.ruleset)]);
    if (this.drawnFrom !== undefined) members.push(["seed", String(this.drawnFrom)]);
    members.push(["dice", writeFaces(this.faces)], ["events", `[${this.events.map(h => writeObject([["event", textJSON(h.event)],
      ["input", h.input], ["dice", writeFaces(h.faces)], ["output", h.text]])).join(",")}]`], ["state", records.state],
    ["status", textJSON(this.status)], ["output", write(procedure.output, this.output)]);
    return writeObject(members);
  }
}
