// Values as JSON.parse makes them, by a schema: the fast way in. It accepts what certainly fits; anything else is read again
// as text by json.js, which is the one that knows errors.

import { BOOL, DOUBLE, INT, LIST, MAP, STRING } from "./lists.js";
import { MAX_KEYS, exceeds, flatten } from "./json.js";
import { compareText } from "./text.js";

const UNFIT = Symbol("unfit");

// A text with escapes, with numbers that may be no ints, or with long ones says more than the values that are made of it.
const isSubtle = text => /\\|\d[.eE]|\d{16}/.test(text);

/** The value of an object, or of a text, that fits a schema; undefined where that is not certain. */
export function readFitting(schema, given) {
  const count = { members: 0 };
  let v = given;
  if (typeof given === "string") {
    if (isSubtle(given)) return undefined;
    try {
      v = JSON.parse(given);
    } catch {
      return undefined;
    }
  }
  const out = fit(schema, v, count);
  if (out === UNFIT) return undefined;
  // A name that stands twice has left one member; a colon in a string only makes this less certain.
  if (typeof given === "string" && count.members !== (given.match(/"\s*:/g)?.length ?? 0)) return undefined;
  return schema.deep ? flatten(schema, out) : out;
}

function fit(schema, v, count) {
  switch (schema.kind) {
    case INT: return Number.isSafeInteger(v) && isWithin(schema, v) ? v + 0 : UNFIT;
    case DOUBLE: return Number.isFinite(v) && isWithin(schema, v) ? v : UNFIT;
    case BOOL: return typeof v === "boolean" ? v : UNFIT;
    case STRING: return typeof v === "string" && (schema.enum ? schema.enum.includes(v) : v.isWellFormed()) ? v : UNFIT;
    case LIST: return fitList(schema, v, count);
  }
  if (typeof v !== "object" || v === null || Array.isArray(v) || typeof v.toJSON === "function") return UNFIT;
  return schema.kind === MAP ? fitMap(schema, v, count) : fitRecord(schema, v, count);
}

function isWithin({ min, max, not }, v) {
  return !(min && (v < min[0] || min[1] && v === min[0]) || max && (v > max[0] || max[1] && v === max[0]) ||
    not?.includes(v));
}

function fitList({ of, least, most }, v, count) {
  if (!Array.isArray(v) || v.length > most || v.length < (least ?? 0)) return UNFIT;
  const out = [];
  for (const x of v) {
    const element = fit(of, x, count);
    if (element === UNFIT) return UNFIT;
    out.push(element);
  }
  return out;
}

// member returns a member of an object, or its default; undefined where there is neither. What an object inherits is a
// function, or its prototype, and fits nothing.
function member(v, [name, of, , preset], count) {
  const x = v[name];
  if (x !== undefined) {
    count.members++;
    return name === "__proto__" ? UNFIT : fit(of, x, count);
  }
  return preset === undefined ? undefined : fit(of, JSON.parse(preset), { members: 0 });
}

function fitRecord(schema, v, count) {
  const out = {}, { fields } = schema;
  let known = 0;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i], before = count.members, x = member(v, field, count);
    if (x === UNFIT || x === undefined && !field[2]) return UNFIT;
    if (count.members > before) known++;
    out[field[0]] = x;
  }
  for (const _ in v) known--;
  if (known !== 0) return UNFIT;
  for (const [name, of] of fields) {
    if (of.limits?.some(limit => out[name] !== undefined && exceeds(schema, out, out[name], limit))) return UNFIT;
  }
  return out;
}

function fitMap(schema, v, count) {
  const out = [], fields = schema.fields ?? [];
  for (const field of fields) {
    const x = member(v, field, count);
    if (x === UNFIT || x === undefined && !field[2]) return UNFIT;
    if (x !== undefined) out.push([field[0], x]);
  }
  for (const name of Object.keys(v)) {
    if (v[name] === undefined || fields.some(f => f[0] === name)) continue;
    if (schema.keys && !schema.keys.includes(name) || !name.isWellFormed()) return UNFIT;
    count.members++;
    const x = fit(schema.of, v[name], count);
    if (x === UNFIT) return UNFIT;
    out.push([name, x]);
  }
  if (out.length > Math.min(schema.most || MAX_KEYS, MAX_KEYS)) return UNFIT;
  return out.sort((a, b) => compareText(a[0], b[0]));
}
