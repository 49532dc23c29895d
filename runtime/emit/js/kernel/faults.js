// Errors, and faults: why a formula has no value. A fault is null or {reason, site}; it is made only where it happens, and
// its reason is put into words only if it ends the evaluation.
// Refused and Failure are answers of the rules; InputError and DiceError are mistakes of who asks.

import { doubleText } from "./text.js";

/** What was asked is not legal: a requirement does not hold. */
export class Refused extends Error {
  get name() { return "Refused"; }
}

/** A formula has no value. site says where: its place in the ruleset, the definition, and the citation. */
export class Failure extends Error {
  constructor(reason, [place, name, cite] = ["", "", ""]) {
    super([place, name, reason].filter(x => x).join(": ") + (cite && ` (${cite})`));
    Object.assign(this, { reason, site: { place, name, cite } });
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
  constructor(id, reason, draw) {
    super(id ? `${id}: ${reason}` : reason);
    Object.assign(this, { id, missing: draw !== undefined, sides: draw?.faces, shows: draw?.die.shows });
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

export const fault = (reason, site) => ({ reason, site });
/** The fault of an int that leaves 2^53. */
export const beyond = fault();

/** Ends the evaluation if there is a fault. */
export function raise(f) {
  if (f) throw f === beyond ? new Beyond() : new Failure(f.reason(), f.site);
}

/** Ends the evaluation if a requirement does not hold. */
export function require(holds, message) {
  if (!holds) throw new Refused(message);
}

// What is beyond 2^53 might decide alone, so that no other fault is certain beside it.
const eitherFault = (f, g) => g === beyond ? g : f || g;
export const andFault = (a, f, b, g) => !f && !a || !g && !b ? null : eitherFault(f, g);
export const orFault = (a, f, b, g) => !f && a || !g && b ? null : eitherFault(f, g);
export function noFault(f) {
  if (f === beyond) raise(f);
  return !f;
}
export const rowFault = (row, key, site, words = String) => row >= 0 ? null :
  fault(() => `no such key: ${words(key)}`, site);
export const doubleRowFault = (row, key, site) => rowFault(row, key, site, doubleText);
export const fail = (holds, site, message) => holds ? null : fault(() => message, site);
