// Values as JSON.parse makes them, by a schema: the fast way in. It accepts what certainly fits; anything else is read again
// as text by json.js, which is the one that knows errors.

import { BOOL, DOUBLE, INT, LIST, MAP, RECORD, STRING } from "./lists.js";
import { inSlots, memberOf, misfitOf, sortEntries } from "./json.js";

const UNFIT = Symbol("unfit"); // is thrown where it is not certain that a value fits

// A text with escapes, with numbers that may be no ints, or with long ones says more than the values that are made of it.
const isSubtle = text => /\\|\d[.eE]|\d{16}/.test(text);

/** The value of an object, or of a text, that fits a schema; undefined where that is not certain. */
export function readFitting(schema, given) {
  const isText = typeof given === "string", count = { members: 0 };
  if (isText && isSubtle(given)) return undefined;
  try {
    const out = fit(schema, isText ? JSON.parse(given) : given, count);
    // A name that stands twice has left one member; a colon in a string only makes this less certain.
    const isWhole = !isText || count.members === (given.match(/"\s*:/g)?.length ?? 0);
    return isWhole ? inSlots(schema, out) : undefined;
  } catch (e) {
    if (e !== UNFIT && !(e instanceof SyntaxError)) throw e;
  }
}

const isWithin = (schema, v) => misfitOf(schema, v, "") === "";

function fit(schema, v, count) {
  switch (schema.kind) {
    case INT: if (Number.isSafeInteger(v) && isWithin(schema, v)) return v + 0; break;
    case DOUBLE: if (Number.isFinite(v) && isWithin(schema, v)) return v; break;
    case BOOL: if (typeof v === "boolean") return v; break;
    case STRING: if (typeof v === "string" && (schema.enum ? schema.enum.includes(v) : v.isWellFormed())) return v; break;
    case LIST: if (Array.isArray(v)) return fitList(schema, v, count); break;
    case MAP: if (isObject(v)) return fitMap(schema, v, count); break;
    case RECORD: if (isObject(v)) return fitRecord(schema, v, count); break;
  }
  throw UNFIT;
}

/** Whether a value is an object as JSON.parse makes it, or without a prototype. */
export function isObject(v) {
  if (typeof v !== "object" || v === null || typeof v.toJSON === "function") return false;
  const of = Object.getPrototypeOf(v);
  return of === Object.prototype || of === null;
}

function demand(holds) {
  if (!holds) throw UNFIT;
}

function fitList({ of, least, most }, v, count) {
  demand(!(v.length < least || v.length > most));
  const out = [];
  for (const x of v) out.push(fit(of, x, count)); // also what is missing in v
  return out;
}

// member returns a member of an object, or its default; undefined where there is neither. What an object inherits is a
// function, or its prototype, and fits nothing.
function member(v, [name, of, optional, preset], count) {
  const x = v[name];
  if (x === undefined) {
    demand(optional || preset !== undefined);
    return optional ? undefined : fit(of, JSON.parse(preset), { members: 0 });
  }
  demand(name !== "__proto__");
  count.members++;
  return fit(of, x, count);
}

function fitRecord({ fields }, v, count) {
  const out = {};
  let unknown = 0;
  for (const _ in v) unknown++;
  for (const field of fields) {
    out[field[0]] = member(v, field, count);
    if (v[field[0]] !== undefined) unknown--;
  }
  demand(unknown === 0);
  for (const [name, { limits }] of fields) demand(!limits?.some(limit => limit(out, name)));
  return out;
}

function fitMap({ of, keys, most, fields }, v, count) {
  const out = [];
  for (const field of fields) {
    const x = member(v, field, count);
    if (x !== undefined) out.push([field[0], x]);
  }
  for (const name of Object.keys(v)) {
    if (v[name] === undefined || memberOf(fields, name)) continue;
    demand(!(keys && !keys.includes(name)) && name.isWellFormed());
    count.members++;
    out.push([name, fit(of, v[name], count)]);
  }
  demand(out.length <= most);
  return sortEntries(out);
}
