// JSON: reading by a schema, with the paths and messages of the interpreter, and writing by a type.

import { InputError, raise } from "./faults.js";
import { BOOL, DOUBLE, INT, LIST, MAP, RECORD, STRING, kindOf } from "./lists.js";
import { beyondFault, isInt, isInteger } from "./numbers.js";
import { compareText, countOf, doubleText, hexText, nearest, plain, quote } from "./text.js";

// Reading. A schema is {kind, min, max, not, limits, of, enum, most, least, keys, fields, flatten, pins}; a field is [name,
// schema, optional, default as JSON]; a pin is [name, {read, ...}], as pins.js has them. not, limits, flatten and read are
// functions, so that a module carries only those that its schemas name.

const byteLength = text => new TextEncoder().encode(text).length;
const kindNames = [, "a whole number", "a number", "true or false", "a string", "a list", "an object", "an object"];
const kindOfStart = { '"': "a string", "{": "an object", "[": "a list", "-": "a number", t: kindNames[3], f: kindNames[3],
  n: "null: leave out what has no value", "\ufeff": "a byte order mark: save the file as UTF-8 without one" };

function oneOf(words) {
  const quoted = words.slice(0, 12).map(w => quote(w));
  if (words.length > 12) quoted.push(`${words.length - 12} more`);
  return quoted.length === 1 ? quoted[0] : "one of " + quoted.join(", ");
}

const pathStep = name => typeof name === "number" ? `[${name}]` : /^\w+$/.test(name) ? "." + name : `[${textJSON(name)}]`;

const foreignForms = [[/^(\/\/|\/\*|#)/, "JSON has no comments"], [/^[“”„]/, 'write ", and no curly quotes'],
  [/^True/, "write true"], [/^False/, "write false"], [/^None/, "leave the member out"], [/^\+/, "leave out the +"]];

/** The repair of a text that stands where JSON goes on, and has the form of another language; "" of any other text. */
function foreignAdvice(text) {
  const form = foreignForms.find(([begin]) => begin.test(text));
  return form ? ": " + form[1] : "";
}

/** The schema of a member; undefined where there is none. */
export const memberOf = (fields, name) => fields.find(f => f[0] === name)?.[1];

/** Entries in the order of their keys. */
export const sortEntries = entries => entries.sort((a, b) => compareText(a[0], b[0]));

/** A value of a schema of which nothing is given, for a rule that it does not matter to. */
export const blank = ({ kind, fields }) => kind !== RECORD ? zeros[kind] :
  Object.fromEntries(fields.map(([name, of, optional]) => [name, optional ? undefined : blank(of)]));

/** Why a number, as it was written, is beyond the bounds of its schema; "" if it is not. */
export function misfitOf({ min, max, not }, v, text) {
  if (min && (v < min[0] || min[1] && v === min[0])) {
    return `must be ${min[1] ? "more than" : "at least"} ${doubleText(min[0])}, not ${text}`;
  }
  if (max && (v > max[0] || max[1] && v === max[0])) {
    return `must be ${max[1] ? "less than" : "at most"} ${doubleText(max[0])}, not ${text}`;
  }
  return not?.(v, text) ?? "";
}

/** Why a number is among those that its schema leaves out; choices are words for all others, if these are few. */
export const notAmong = (list, choices) => (v, text) =>
  !list.includes(v) ? "" : choices ? `must be one of ${choices}, not ${text}` : `must not be ${text}`;

/** Why a field of a record exceeds a bound that other fields set for it, and words name: it returns "" where it does not. */
export const limitField = (bound, upper, open, words) => (record, name) => {
  const sum = bound(record), v = record[name], excess = upper ? v - sum : sum - v; // NaN where a part is absent
  return excess > 0 || open && excess === 0 ? `must be ${words}, which is ${plain(sum)}, not ${plain(v)}` : "";
};

const ESCAPE = // of a string; two together where one is half a surrogate pair
  /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[\da-fA-F]{4}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})/y;

/** Reads one JSON text by a schema: grammar, names, types and bounds are judged where they stand. */
export class Reader {
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
  refuseType(kind) {
    const c = this.peek(), rest = this.text.slice(this.pos), isWord = /^(?!true|false|null)[a-z]/.test(rest);
    const found = c === undefined ? "nothing" : /\d/.test(c) ? "a number" : !isWord ? kindOfStart[c] ?? this.next() :
      "a word without quotes" + (kind === RECORD ? ': it is JSON, {"name": value, ...}' : "");
    this.refuse(`must be ${kindNames[kind]}, not ${found}`);
  }
  refuseChoice(must, found, words, at) {
    const near = nearest(found, words);
    this.refuse(`${must} ${oneOf(words)}, not ${quote(found)}` + (near && `; did you mean ${quote(near)}`), at);
  }

  /** Takes what a sticky pattern matches; undefined where it does not. */
  take(pattern) {
    pattern.lastIndex = this.pos;
    const found = pattern.exec(this.text)?.[0];
    this.pos += found?.length ?? 0;
    return found;
  }
  peek() {
    if (this.text[this.pos] <= " ") this.take(/[ \n\t\r]*/y);
    return this.text[this.pos];
  }
  takes(c) {
    if (this.peek() !== c) return false;
    this.pos++;
    return true;
  }
  /** The next token in words, and behind it some advice, or else the repair of a text of another language. */
  next(advice = "") {
    if (this.peek() === undefined) return "the end" + advice;
    const rest = this.text.slice(this.pos);
    return quote(String.fromCodePoint(rest.codePointAt(0)), "'") + (advice || foreignAdvice(rest));
  }

  whole(schema) {
    const v = this.value(schema);
    if (this.peek() !== undefined) {
      this.refuse("there is more text after the value" + foreignAdvice(this.text.slice(this.pos)));
    }
    return inSlots(schema, v);
  }

  value(schema) {
    this.peek();
    const at = this.pos;
    switch (schema.kind) {
      case BOOL: return (this.take(/true|false/y) ?? this.refuseType(BOOL)) === "true";
      case STRING: return this.word(schema, at);
      case LIST: return this.list(schema);
      case MAP: return this.map(schema);
      case RECORD: return this.record(schema);
      case INT: case DOUBLE: return this.number(schema, at);
    }
    return schema.read(this, schema, at);
  }

  number(schema, at) {
    const whole = this.take(/-?\d+/y) ?? this.refuseType(schema.kind), end = this.pos;
    if (/^-?0\d/.test(whole)) this.refuse("a number does not begin with 0");
    if (this.take(/\./y) && !this.take(/\d+/y)) this.refuse("digits must follow the point");
    if (this.take(/e[+-]?/iy) && !this.take(/\d+/y)) this.refuse("digits must follow the exponent's e");
    const text = this.text.slice(at, this.pos), v = Number(text), isWhole = schema.kind === INT;
    if (isWhole && this.pos > end) this.refuse(`must be a whole number, not ${text}`, at);
    if (isWhole ? !isInt(v) && !isInteger(text) : !isFinite(v)) this.refuse(`${text} is too large a number`, at);
    const misfit = misfitOf(schema, v, text);
    if (misfit) this.refuse(misfit, at);
    if (isWhole) raise(beyondFault(v));
    return isWhole ? v + 0 : v;
  }

  quoted() {
    if (!this.takes('"')) this.refuseType(STRING);
    const from = this.pos;
    do this.take(/[^"\\\0-\x1f]*/y); while (this.text[this.pos] === "\\" && this.take(ESCAPE));
    if (this.text[this.pos] !== '"') this.refuseInner();
    const inner = this.text.slice(from, this.pos++);
    return inner.includes("\\") ? JSON.parse(`"${inner}"`) : inner;
  }
  /** Refuses a string where neither a character nor an escape stands. */
  refuseInner() {
    const [c] = this.text.slice(this.pos), hex = () => this.take(/[\da-f]{4}/iy) ?? this.refuse("four digits must follow \\u");
    if (c < " ") this.refuse(`a string has the control character U+${hexText(c, 4).toUpperCase()}; write it as an escape`);
    if (this.take(/\\?$/y) !== undefined) this.refuse("a string does not end");
    if (!this.take(/\\u/y)) {
      this.pos++;
      const [first] = new TextEncoder().encode(this.text.slice(this.pos, this.pos + 2));
      this.refuse(`${quote("\\" + String.fromCharCode(first))} is no escape`);
    }
    if (/^d[89ab]/i.test(hex()) && this.take(/\\u/y)) hex();
    this.refuse("half a surrogate pair stands alone");
  }

  word(schema, at) {
    const v = this.quoted();
    if (schema.enum && !schema.enum.includes(v)) this.refuseChoice("must be", v, schema.enum, at);
    return v;
  }

  list({ of, least, most }) {
    if (!this.takes("[")) this.refuseType(LIST);
    const out = [];
    while (!this.takes("]")) {
      if (out.length && !this.takes(",")) this.refuse(`a comma or ] must follow an element, not ${this.next()}`);
      if (out.length === most) this.refuse(`must have at most ${countOf(most, "element")}`);
      this.path.push(out.length);
      out.push(this.value(of));
      this.path.pop();
    }
    if (out.length < least) this.refuse(`must have at least ${countOf(least, "element")}, not ${out.length}`);
    return out;
  }

  /** Calls a function with the name of each member of an object, behind which it goes on reading. */
  members(kind, read) {
    if (!this.takes("{")) this.refuseType(kind);
    for (let n = 0; !this.takes("}"); n++) {
      if (n && !this.takes(",")) this.refuse(`a comma or } must follow a value, not ${this.next()}`);
      const c = this.peek();
      this.nameAt = this.pos;
      if (c !== '"') {
        const advice = c === "}" && n ? ": leave out the comma behind the last value" : c === "'" ?
          ": JSON has double quotes" : /\w/.test(c ?? "") ? ": put the name in double quotes" : "";
        this.refuse(`a name in quotes is expected, not ${this.next(advice)}`);
      }
      read(this.quoted());
    }
  }
  /** Reads a member behind its name. */
  member(name, schema) {
    this.path.push(name);
    if (!this.takes(":")) this.refuse(`a colon must follow the name ${quote(name)}, not ${this.next()}`);
    const v = this.value(schema);
    this.path.pop();
    return v;
  }
  /** Gives members that are not there their defaults. */
  addPresets(fields, read) {
    for (const [name, of, optional, preset] of fields) {
      if (optional || read.has(name)) continue;
      if (preset === undefined) this.refuseIn(name, "is missing");
      read.set(name, new Reader(this.root, preset).value(of));
    }
  }

  record({ fields, pins = [] }) {
    const read = new Map(), record = {};
    this.members(RECORD, name => {
      const of = memberOf(fields, name) ?? memberOf(pins, name) ?? this.refuseField(name, fields.map(f => f[0]));
      if (read.has(name)) this.refuseIn(name, "stands here twice", this.nameAt);
      read.set(name, this.member(name, of));
    });
    this.addPresets(fields, read);
    for (const [name] of fields) record[name] = read.get(name);
    for (const [name, { limits = [] }] of fields) {
      for (const limit of limits) {
        const misfit = limit(record, name);
        if (misfit) this.refuseIn(name, misfit, this.pos - 1);
      }
    }
    return record;
  }
  refuseField(name, names) {
    const near = nearest(name, names);
    this.refuseIn(name, "there is no such field" + (!names.length ? ": nothing is asked for" :
      near ? `; did you mean ${quote(near)}` : `; it must be ${oneOf(names)}`), this.nameAt);
  }

  map({ of, keys, most, fields }) {
    const read = new Map(), again = [];
    this.members(MAP, name => {
      const named = memberOf(fields, name);
      if (!named && keys && !keys.includes(name)) {
        this.refuseChoice("a key must be", name, [...new Set([...keys, ...fields.map(f => f[0])])], this.nameAt);
      }
      if (read.has(name)) again.push(name);
      read.set(name, this.member(name, named ?? of));
    });
    this.addPresets(fields, read);
    if (read.size + again.length > most) this.refuse(`must have at most ${countOf(most, "key")}`);
    if (again.length) this.refuseIn(again[0], "stands here twice");
    return sortEntries([...read]);
  }
}

/** A value with the records in its lists and maps in slots, if its schema has such. */
export const inSlots = (schema, v) => schema.flatten && v !== undefined ? schema.flatten(schema, v) : v;

/** Puts the records in lists and maps into slots. */
export function flatten({ kind, of, fields }, v) {
  if (kind === MAP) return v.map(([name, x]) => slotsIn(memberOf(fields, name) ?? of, x, [name]));
  if (kind === LIST) return v.map(x => slotsIn(of, x, [])).map(slots => slots.length === 1 ? slots[0] : slots);
  for (const [name, of] of fields) v[name] = inSlots(of, v[name]);
  return v;
}

// slotsIn appends the slots of a value; of one that is absent, zeros.
function slotsIn(schema, v, out) {
  if (schema.kind !== RECORD) out.push(v === undefined ? zeros[schema.kind] : inSlots(schema, v));
  else {
    for (const [name, of, optional] of schema.fields) {
      const x = v?.[name];
      if (optional) out.push(x !== undefined);
      slotsIn(of, x, out);
    }
  }
  return out;
}

const zeros = [, 0, 0, false, "", [], []];

// Writing.

const controls = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t" };

/** A string as JSON. */
export const textJSON = s => '"' + s.replace(/["\\\u0000-\u001f]/g,
  c => controls[c] ?? "\\u" + hexText(c, 4)) + '"';

function doubleJSON(x) {
  if (!isFinite(x)) return textJSON(doubleText(x));
  const s = Object.is(x, -0) ? "-0" : String(x).replace(/e([+-])(\d)$/, "e$10$2");
  return /[.e]/.test(s) ? s : s + ".0";
}

// write writes a value of a type as JSON, with the members of maps in the order of their keys.
export function write(type, v) {
  switch (kindOf(type)) {
    case DOUBLE: return doubleJSON(v);
    case STRING: return textJSON(v);
    case LIST: return `[${v.map(x => write(type[1], x)).join(",")}]`;
    case MAP: return writeObject(Object.keys(v).sort(compareText).map(k => [k, write(type[1], v[k])]));
    case RECORD: return writeObject(type[1].filter(f => v[f[0]] !== undefined).map(([k, of]) => [k, write(of, v[k])]));
  }
  return String(v);
}
export const writeObject = members => `{${members.map(([k, text]) => `${textJSON(k)}:${text}`).join(",")}}`;
