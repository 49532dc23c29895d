// JSON: reading by a schema, with the paths and messages of the interpreter, and writing by a type.

import { InputError, raise } from "./faults.js";
import { BOOL, DOUBLE, INT, LIST, MAP, RECORD, STRING, kindOf } from "./lists.js";
import { beyondFault, isInt, isInteger } from "./numbers.js";
import { compareText, doubleText, nearest, plain, quote } from "./text.js";

export const MAX_KEYS = 1000;

// Reading. A schema is {kind, min, max, not, choices, limits, enum, of, most, least, keys, fields, deep, pins}; a field is
// [name, schema, optional, default as JSON].

const byteLength = text => new TextEncoder().encode(text).length;
const isDigit = c => c >= "0" && c <= "9";
const kindNames = [, "a whole number", "a number", "true or false", "a string", "a list", "an object", "an object"];
const kindOfStart = { '"': "a string", "{": "an object", "[": "a list", t: "true or false", f: "true or false", n: "null: leave out what has no value",
  "-": "a number", "\ufeff": "a byte order mark: save the file as UTF-8 without one" };

function oneOf(words) {
  const quoted = words.slice(0, 12).map(w => quote(w));
  if (words.length > 12) quoted.push(`${words.length - 12} more`);
  return quoted.length === 1 ? quoted[0] : "one of " + quoted.join(", ");
}

const pathStep = name => typeof name === "number" ? `[${name}]` : /^\w+$/.test(name) ? "." + name : `[${textJSON(name)}]`;

const foreignForms = [["//", "JSON has no comments"], ["/*", "JSON has no comments"], ["#", "JSON has no comments"],
  ["“", 'write ", and no curly quotes'], ["”", 'write ", and no curly quotes'], ["„", 'write ", and no curly quotes'],
  ["True", "write true"], ["False", "write false"], ["None", "leave the member out"], ["+", "leave out the +"]];

/** The repair of a text that stands where JSON goes on, and has the form of another language; "" of any other text. */
function foreignAdvice(text, at) {
  const form = foreignForms.find(([begin]) => text.startsWith(begin, at));
  return form ? ": " + form[1] : "";
}

/** A value of a schema of which nothing is given, for a rule that it does not matter to. */
export const blank = ({ kind, fields }) => kind !== RECORD ? zeros[kind] :
  Object.fromEntries(fields.map(([name, of, optional]) => [name, optional ? undefined : blank(of)]));

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
  /** The next token in words, and behind it some advice, or else the repair of a text of another language. */
  next(advice = "") {
    if (this.peek() === undefined) return "the end" + advice;
    const token = quote(String.fromCodePoint(this.text.codePointAt(this.pos)), "'");
    return token + (advice || foreignAdvice(this.text, this.pos));
  }
  refuseType(kind) {
    const c = this.peek();
    const isWord = /[a-z]/y, isConstant = /true|false|null/y;
    isWord.lastIndex = isConstant.lastIndex = this.pos;
    const found = c === undefined ? "nothing" : isDigit(c) ? "a number" :
      isWord.test(this.text) && !isConstant.test(this.text) ?
        "a word without quotes" + (kind === RECORD ? ': it is JSON, {"name": value, ...}' : "") : kindOfStart[c] ?? this.next();
    this.refuse(`must be ${kindNames[kind]}, not ${found}`);
  }

  whole(schema) {
    const v = this.value(schema);
    if (this.peek() !== undefined) this.refuse("there is more text after the value" + foreignAdvice(this.text, this.pos));
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
      raise(beyondFault(v));
      return v + 0;
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
      /[A-Za-z_0-9]/.test(c ?? "") ? ": put the name in double quotes" : "";
    return this.refuse(`a name in quotes is expected, not ${this.next(advice)}`);
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
    for (const limit of of.limits) {
      const sum = exceeds(schema, record, v, limit);
      if (sum) this.refuseIn(name, `must be ${limit[4]}, which is ${sum}, not ${plain(v)}`, this.pos - 1);
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

/** The sum that a number exceeds although a limit bounds it: as text, "" where it does not. */
export function exceeds(schema, record, v, [upper, open, paths, plus]) {
  let sum = plus;
  for (const path of paths) {
    const term = numberAt(schema, record, path);
    if (term === undefined) return "";
    sum += term;
  }
  return (upper ? v < sum : v > sum) || v === sum && !open ? "" : plain(sum);
}

// numberAt returns the number at a path of names from a record; undefined where a part is absent.
function numberAt(schema, v, path) {
  for (const name of path) {
    const field = schema.fields?.find(f => f[0] === name);
    v = schema.kind === MAP ? v.find(entry => entry[0] === name)?.[1] : v[name];
    if (v === undefined) return undefined;
    schema = field?.[1] ?? schema.of;
  }
  return v;
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
