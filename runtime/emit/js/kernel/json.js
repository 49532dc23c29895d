// JSON: reading by a schema, with the paths and messages of the interpreter, and writing by a type.

import { InputError, raise } from "./faults.js";
import { BOOL, DOUBLE, INT, LIST, MAP, RECORD, STRING, kindOf } from "./lists.js";
import { beyondFault, isInt, isInteger } from "./numbers.js";
import { compareText, doubleText, nearest, plain, quote } from "./text.js";

export const MAX_KEYS = 1000;

// Reading. A schema is {kind, min, max, not, choices, limits, of, enum, most, least, keys, fields, deep, pins}; a field is
// [name, schema, optional, default as JSON]; a limit is [its sum by the record, upper, open, its words].

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

/** A value of a schema of which nothing is given, for a rule that it does not matter to. */
export const blank = ({ kind, fields }) => kind !== RECORD ? zeros[kind] :
  Object.fromEntries(fields.map(([name, of, optional]) => [name, optional ? undefined : blank(of)]));

/** Why a number, as it was written, is beyond the bounds of its schema; "" if it is not. */
export function misfitOf({ min, max, not, choices }, v, text) {
  if (min && (v < min[0] || min[1] && v === min[0])) {
    return `must be ${min[1] ? "more than" : "at least"} ${doubleText(min[0])}, not ${text}`;
  }
  if (max && (v > max[0] || max[1] && v === max[0])) {
    return `must be ${max[1] ? "less than" : "at most"} ${doubleText(max[0])}, not ${text}`;
  }
  return !not?.includes(v) ? "" : choices ? `must be one of ${choices}, not ${text}` : `must not be ${text}`;
}

/** The sum that a field of a record exceeds although a limit bounds it: as text, "" where it does not. */
export function exceeds(record, name, [bound, upper, open]) {
  const sum = bound(record), excess = upper ? record[name] - sum : sum - record[name]; // NaN where a part is absent
  return excess > 0 || open && excess === 0 ? plain(sum) : "";
}

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
    this.take(/[ \n\t\r]*/y);
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
    return flatten(schema, v);
  }

  value(schema) {
    switch (schema.kind) {
      case BOOL: return this.bool();
      case STRING: return this.word(schema);
      case LIST: return this.list(schema);
      case MAP: return this.map(schema);
      case RECORD: return this.record(schema);
    }
    return this.number(schema);
  }

  bool() {
    this.peek();
    return (this.take(/true|false/y) ?? this.refuseType(BOOL)) === "true";
  }

  number(schema) {
    this.peek();
    const start = this.pos, whole = this.take(/-?\d+/y) ?? this.refuseType(schema.kind), end = this.pos;
    if (/^-?0\d/.test(whole)) this.refuse("a number does not begin with 0");
    if (this.take(/\./y) && !this.take(/\d+/y)) this.refuse("digits must follow the point");
    if (this.take(/e[+-]?/iy) && !this.take(/\d+/y)) this.refuse("digits must follow the exponent's e");
    const text = this.text.slice(start, this.pos), v = Number(text), isWhole = schema.kind === INT;
    if (isWhole && this.pos > end) this.refuse(`must be a whole number, not ${text}`, start);
    if (isWhole ? !isInt(v) && !isInteger(text) : !isFinite(v)) this.refuse(`${text} is too large a number`, start);
    const misfit = misfitOf(schema, v, text);
    if (misfit) this.refuse(misfit, start);
    if (isWhole) raise(beyondFault(v));
    return isWhole ? v + 0 : v;
  }

  quoted(kind = STRING) {
    if (!this.takes('"')) this.refuseType(kind);
    for (let out = ""; ; out += this.escape()) {
      out += this.take(/[^"\\\u0000-\u001f]*/y);
      const c = this.text[this.pos];
      if (c === '"') {
        this.pos++;
        return out;
      }
      if (c === undefined) this.refuse("a string does not end");
      if (c !== "\\") {
        const code = c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        this.refuse(`a string has the control character U+${code}; write it as an escape`);
      }
    }
  }
  escape() {
    const simple = this.take(/\\["\\/bfnrt]/y);
    if (simple) return JSON.parse(`"${simple}"`);
    this.pos++;
    if (!this.take(/u/y)) {
      if (this.pos === this.text.length) this.refuse("a string does not end");
      const [first] = new TextEncoder().encode(String.fromCodePoint(this.text.codePointAt(this.pos)));
      this.refuse(`${quote("\\" + String.fromCharCode(first))} is no escape`);
    }
    const first = this.hex();
    if (first < 0xd800 || first >= 0xe000) return String.fromCharCode(first);
    const second = first < 0xdc00 && this.take(/\\u/y) ? this.hex() : 0;
    if (second < 0xdc00 || second >= 0xe000) this.refuse("half a surrogate pair stands alone");
    return String.fromCharCode(first, second);
  }
  hex() {
    return parseInt(this.take(/[\da-f]{4}/iy) ?? this.refuse("four digits must follow \\u"), 16);
  }

  word(schema) {
    this.peek();
    const start = this.pos, v = this.quoted();
    if (schema.enum && !schema.enum.includes(v)) this.refuseChoice("must be", v, schema.enum, start);
    return v;
  }

  list({ of, least = 0, most }) {
    if (!this.takes("[")) this.refuseType(LIST);
    const out = [];
    while (!this.takes("]")) {
      if (out.length && !this.takes(",")) this.refuse(`a comma or ] must follow an element, not ${this.next()}`);
      if (out.length === most) this.refuse(`must have at most ${most} elements`);
      this.path.push(out.length);
      out.push(this.value(of));
      this.path.pop();
    }
    if (out.length < least) this.refuse(`must have at least ${least} elements, not ${out.length}`);
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
  member(name, read) {
    this.path.push(name);
    if (!this.takes(":")) this.refuse(`a colon must follow the name ${quote(name)}, not ${this.next()}`);
    const v = read();
    this.path.pop();
    return v;
  }
  /** The default of a member that is not there. */
  preset(name, of, text) {
    return text === undefined ? this.refuseIn(name, "is missing") : new Reader(this.root, text).value(of);
  }

  record({ fields, pins }) {
    const read = new Map(), record = {};
    this.members(RECORD, name => {
      const of = fields.find(f => f[0] === name)?.[1];
      const value = of ? () => this.value(of) : pins && name === "$revision" ? () => this.revision(pins) :
        pins && name === "$homebrews" ? () => this.homebrews(pins) : this.refuseField(name, fields.map(f => f[0]));
      if (read.has(name)) this.refuseIn(name, "stands here twice", this.nameAt);
      read.set(name, this.member(name, value));
    });
    for (const [name, of, optional, preset] of fields) {
      record[name] = optional || read.has(name) ? read.get(name) : this.preset(name, of, preset);
    }
    for (const [name, { limits = [] }] of fields) {
      for (const limit of limits) {
        const sum = exceeds(record, name, limit);
        if (sum) this.refuseIn(name, `must be ${limit[3]}, which is ${sum}, not ${plain(record[name])}`, this.pos - 1);
      }
    }
    return record;
  }
  refuseField(name, names) {
    const near = nearest(name, names);
    this.refuseIn(name, !names.length ? "there is no such field: nothing is asked for" : "there is no such field; " +
      (near ? `did you mean ${quote(near)}` : `it must be ${oneOf(names)}`), this.nameAt);
  }

  revision({ revision }) {
    this.peek();
    const at = this.pos, text = this.quoted();
    if (text === revision || revision.includes(" ") && text === revision.slice(revision.indexOf(" ") + 1)) return;
    this.refuse(`the character is pinned to ${quote(text)}, and this is ${quote(revision)}: use the release that it is ` +
      "pinned to, or pin it anew", at);
  }
  homebrews({ homebrews }) {
    this.peek();
    const at = this.pos, digests = new Map(homebrews), named = new Set();
    this.members(RECORD, id => {
      if (named.has(id)) this.refuseIn(id, "stands here twice", this.nameAt);
      named.add(id);
      this.member(id, () => this.digest(id, digests.get(id)));
    });
    for (const id of digests.keys()) {
      if (named.has(id)) continue;
      this.refuse(`the character is played without the homebrew ${id}, which is used here: leave it out, or pin the ` +
        "character anew", at);
    }
  }
  digest(id, known) {
    this.peek();
    const at = this.pos, digest = this.quoted();
    if (known === digest && known) return;
    this.refuse(known === undefined ? `the character is played with the homebrew ${id}, which is not used here: use it, ` +
      "or pin the character anew" : !known ? `nobody knows the digest of the homebrew ${id} that is used here` :
      `the homebrew ${id} that is used here is another: its digest is ${known}, not ${digest}: use the one that the ` +
        "character names, or pin the character anew", at);
  }

  map(schema) {
    const out = [], seen = new Set(), fields = schema.fields ?? [], most = Math.min(schema.most || MAX_KEYS, MAX_KEYS);
    let twice;
    this.members(MAP, name => {
      const of = fields.find(f => f[0] === name)?.[1];
      if (!of && schema.keys && !schema.keys.includes(name)) {
        this.refuseChoice("a key must be", name, [...new Set([...schema.keys, ...fields.map(f => f[0])])], this.nameAt);
      }
      if (seen.has(name)) twice ??= name;
      seen.add(name);
      out.push([name, this.member(name, () => this.value(of ?? schema.of))]);
    });
    for (const [name, of, optional, preset] of fields) {
      if (!optional && !seen.has(name)) out.push([name, this.preset(name, of, preset)]);
    }
    if (out.length > most) this.refuse(`must have at most ${most} keys`);
    if (twice !== undefined) this.refuseIn(twice, "stands here twice");
    return out.sort((a, b) => compareText(a[0], b[0]));
  }
}

// flatten puts the records in lists and maps into slots.
export function flatten(schema, v) {
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
export const textJSON = s => '"' + s.replace(/["\\\u0000-\u001f]/g,
  c => controls[c] ?? "\\u00" + c.charCodeAt(0).toString(16).padStart(2, "0")) + '"';

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
