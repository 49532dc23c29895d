// Lists, maps and tables. A list is an array of elements; elements of more than one slot are arrays of slots. A map is an
// array of entries in the order of their keys, each an array of its key and the slots of its value.

import { Failure, fault, raise, rowFault } from "./faults.js";
import { beyondFault, safe } from "./numbers.js";
import { compareText, countOf, doubleText } from "./text.js";

const MAX_RANGE = 1000;

/** The kinds of values. */
export const INT = 1, DOUBLE = 2, BOOL = 3, STRING = 4, LIST = 5, MAP = 6, RECORD = 7;

// compare orders scalars: NaN before all other numbers.
function compare(a, b) {
  if (typeof a === "string") return compareText(a, b);
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : a === a ? 1 : b === b ? -1 : 0;
}

export const sort = list => list.slice().sort(compare);
export const sortBy = (list, keys) => list.map((_, i) => i).sort((a, b) => compare(keys[a], keys[b])).map(i => list[i]);
export const sumInts = list => list.reduce((sum, v) => safe(sum + v), 0);
export function sumFault(list) {
  let sum = 0, f = null;
  for (const v of list) f ??= beyondFault(sum += v);
  return f;
}
export const sumDoubles = list => list.reduce((sum, v) => sum + v, 0);
export const least = list => list.length ? list.reduce((best, v) => v < best ? v : best) : 0;
export const greatest = list => list.length ? list.reduce((best, v) => v > best ? v : best) : 0;
export const emptyFault = (list, site) => list.length ? null : fault(() => "the list is empty", site);
export const elementFault = (list, i, site) => i >= 0 && i < list.length ? null :
  fault(() => `index out of bounds: ${i}, the list has ${countOf(list.length, "element")}`, site);
const hasSlice = (list, from, to) => 0 <= from && from <= to && to <= list.length;
export const slice = (list, from, to) => hasSlice(list, from, to) ? list.slice(from, to) : [];
export const sliceFault = (list, from, to, site) => hasSlice(list, from, to) ? null :
  fault(() => `index out of bounds: the list has no slice from ${from} to ${to}`, site);
export function range(from, to) {
  const out = [];
  if (to - from <= MAX_RANGE) for (; from < to; from++) out.push(from);
  return out;
}
const longFault = (from, to, most, site) => to - from <= most ? null :
  fault(() => `range error: from ${from} to ${to} are more than ${MAX_RANGE} elements`, site);
export const rangeFault = (from, to, site) => longFault(from, to, MAX_RANGE, site);
export function counts(list, from, to) {
  const out = range(from, to + 1).fill(0);
  for (const v of list) if (out[v - from] !== undefined) out[v - from]++;
  return out;
}
export const countsFault = (from, to, site) => longFault(from, to, MAX_RANGE - 1, site);
export function pour(amount, capacities) {
  return capacities.map(most => {
    const gets = Math.max(0, Math.min(amount, most));
    amount -= gets;
    return gets;
  });
}
export const pourFault = (amount, capacities, site) =>
  amount < 0 || least(capacities) < 0 ? fault(() => "range error: an amount or a capacity is negative", site) : null;

export function find(map, key) {
  for (let i = 0; i < map.length; i++) if (map[i][0] === key) return i;
  return -1;
}
export const findFault = (map, key, site) => rowFault(find(map, key), key, site);
export const keys = map => map.map(entry => entry[0]);
/** The map with an entry, which begins with its key. */
export function withEntry(map, entry) {
  const at = map.findIndex(e => compare(e[0], entry[0]) >= 0), out = map.slice();
  if (at < 0) out.push(entry);
  else out.splice(at, out[at][0] === entry[0] ? 1 : 0, entry);
  return out;
}

// Types: the number of a scalar's kind, [LIST, element], [MAP, value], [RECORD, [[name, type, optional, fallible], ...]].

export const kindOf = type => Array.isArray(type) ? type[0] : type;

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

/** A value of a type as others have it: of a list an array, of a map an object. It ends the evaluation where a part of it
 * has failed, and where a double of an output, which is named, is no number. */
export function toValue(type, v, output) {
  switch (kindOf(type)) {
    case LIST: return v.map(x => fromSlots(type[1], slotsOf(type[1], x).values(), output));
    case MAP: return Object.fromEntries(v.map(([key, ...slots]) => [key, fromSlots(type[1], slots.values(), output)]));
    case DOUBLE: if (output !== undefined && !isFinite(v)) {
      throw new Failure(`the value is ${doubleText(v)}, not a number`, ["", `output ${output}`, ""]);
    }
  }
  return v;
}

// fromSlots takes the slots of a value, and returns it; undefined if it is absent.
function fromSlots(type, slots, output, isThere = true) {
  const take = () => slots.next().value;
  if (kindOf(type) !== RECORD) return isThere ? toValue(type, take(), output) : void take();
  const fields = type[1].map(([name, of, optional, fallible]) => {
    const isIn = (!optional || take()) && isThere, failed = fallible ? take() : null;
    if (isIn) raise(failed);
    return [name, fromSlots(of, slots, output, isIn)];
  });
  return isThere ? Object.fromEntries(fields) : undefined;
}

/** Ends the evaluation if a part of a list or a map has failed. */
export const raiseParts = (type, list) => { toValue(type, list); };

/** Ends the evaluation if an output has a double that is no number. */
export const judgeNumbers = (output, type, value) => { toValue(type, value, output); };

// Tables.

/** The rows of a table by their keys. Nothing is found that objects inherit. */
export const rowsOf = keys => keys.reduce((rows, key, row) => { rows[key] = row; return rows; }, { __proto__: null });

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

/** The rows of the ints from one to another. */
export const denseRows = (table, from, to) => Int32Array.from({ length: to - from + 1 }, (_, k) => findRow(table, from + k));
