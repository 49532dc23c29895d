// Texts: comparing, counting, quoting and formatting. Strings compare, and are counted, by code points.

// A number of things: "1 element", "2 elements".
export function countOf(n, one) {
  return n === 1 ? `1 ${one}` : `${n} ${one}s`;
}

export function compareText(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return a.codePointAt(i) - b.codePointAt(i); // of surrogates both halves
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
export function plain(x) {
  const [m, e] = x.toExponential().split("e"), n = Number(e), digits = m.replace(/[-.]/g, "");
  if (n < 0) return (x < 0 ? "-" : "") + "0." + "0".repeat(-n - 1) + digits;
  const whole = digits.slice(0, n + 1).padEnd(n + 1, "0"), rest = digits.slice(n + 1);
  return (x < 0 || Object.is(x, -0) ? "-" : "") + whole + (rest && "." + rest);
}

/** The number of a character in hexadecimal digits. */
export const hexText = (c, digits) => c.codePointAt(0).toString(16).padStart(digits, "0");

const escapes = { "\x07": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\\": "\\\\" };
const isPrintable = c => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(c);
const escapeOf = c => escapes[c] ?? (isPrintable(c) ? c : c < "\x80" ? "\\x" + hexText(c, 2) :
  c.length === 1 ? "\\u" + hexText(c, 4) : "\\U" + hexText(c, 8));

// quote writes a string between quotes, as messages have it.
export const quote = (s, mark = '"') => mark + [...s].map(c => c === mark ? "\\" + c : escapeOf(c)).join("") + mark;

// nearest returns the word with the fewest slips from an unknown one; "" when none is near.
export function nearest(unknown, words) {
  const letters = sizeText(unknown);
  let best = "", fewest = Math.min(Math.floor((letters + 1) / 3) + 1, letters);
  for (const w of words) {
    const n = slips(unknown, w);
    if (n < fewest || n === fewest && best !== "" && compareText(w, best) < 0) [best, fewest] = [w, n];
  }
  return best;
}

/** Why a name is refused that nothing has. */
export function unknown(what, name, known) {
  const near = nearest(name, known);
  return `there is no ${what} ${quote(name)}; ` + (near ? `did you mean ${quote(near)}` : `there is ${known.join(", ")}`);
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
