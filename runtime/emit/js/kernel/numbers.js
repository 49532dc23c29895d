// Ints, doubles, and the numbers of texts. Ints are whole numbers within 2^53, and never -0. An operation that leaves them
// gives 0, and beside it the fault that it does.

import { beyond, fault } from "./faults.js";
import { doubleText, quote } from "./text.js";

const isSafe = x => x <= Number.MAX_SAFE_INTEGER && x >= Number.MIN_SAFE_INTEGER;
export const safe = x => isSafe(x) ? x : 0;
export const beyondFault = x => isSafe(x) ? null : beyond;

export const isInt = x => x > -(2 ** 63) && x < 2 ** 63;
export const toInt = x => safe(x) + 0;
export const toIntFault = (x, site) =>
  isInt(x) ? beyondFault(x) : fault(() => `range error: ${doubleText(x)} is no int`, site);
export const round = x => x < 0 ? -roundUp(-x) : roundUp(x);
const roundUp = x => { const down = Math.floor(x); return x - down >= 0.5 ? down + 1 : down; };

// A quotient of ints within 2^53 is never rounded to the next int: it would have to be nearer than one part in 2^53.
export const modulo = (a, b) => b === 0 ? 0 : a % b + 0;
export const divTrunc = (a, b) => b === 0 ? 0 : Math.trunc(a / b) + 0;
export const divFloor = (a, b) => b === 0 ? 0 : Math.floor(a / b) + 0;
export const divCeil = (a, b) => b === 0 ? 0 : Math.ceil(a / b) + 0;
export const divAway = (a, b) => a < 0 === b < 0 ? divCeil(a, b) : divFloor(a, b);
export function divHalfUp(a, b) {
  if (b === 0) return 0;
  const q = divFloor(a, b), rest = Math.abs(modulo(a, b)), whole = Math.abs(b);
  const over = a < 0 !== b < 0 && rest ? whole - rest : rest; // the distance from q
  return over >= whole - over ? q + 1 : q;
}
// power returns a power with an exponent that is not negative, or a number beyond 2^53.
function power(a, n) {
  if (a === 0 || a === 1 || a === -1) return n === 0 ? 1 : n % 2 === 0 ? a * a : a;
  let p = 1;
  for (; n > 0 && isSafe(p); n--) p *= a;
  return p;
}
export const powInt = (a, n) => n < 0 ? 0 : safe(power(a, n));
export const divFault = (_, b, site) => b === 0 ? fault(() => "division by zero", site) : null;
export const modFault = (_, b, site) => b === 0 ? fault(() => "modulus by zero", site) : null;
export const powFault = (a, b, site) =>
  b < 0 ? fault(() => `pow of integers has no negative exponent: ${b}`, site) : beyondFault(power(a, b));

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

// Numbers of texts.

export const isInteger = s => /^[+-]?\d+$/.test(s) && BigInt.asIntN(64, BigInt(s)) === BigInt(s);
export const parseInteger = s => isInteger(s) ? safe(Number(s)) + 0 : 0;
export const integerFault = (s, site) =>
  isInteger(s) ? beyondFault(Number(s)) : fault(() => `${quote(s)} is no int`, site);

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
export const doubleFault = (s, site) =>
  doubleOf(s) === undefined ? fault(() => `${quote(s)} is no double`, site) : null;
