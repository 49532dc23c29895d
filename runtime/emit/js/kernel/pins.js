// The pins of a character: the release and the homebrews that it is played with.

import { RECORD } from "./lists.js";
import { quote } from "./text.js";

/** Reads the name of a release, which must be one that the ruleset accepts. */
export function readRevision(reader, { accepts }, at) {
  const text = reader.quoted();
  if (accepts.includes(text)) return;
  reader.refuse(`the character is pinned to ${quote(text)}, and this is ${quote(accepts[0])}: use the release that it is ` +
    "pinned to, or pin it anew", at);
}

const unusedHomebrew = id =>
  `the character is played with the homebrew ${id}, which is not used here: use it, or pin the character anew`;

/** Reads homebrews by id, of which the ruleset has none. */
export function readNoHomebrews(reader) {
  reader.members(RECORD, id => reader.member(id, {
    read(_, schema, at) {
      reader.quoted();
      reader.refuse(unusedHomebrew(id), at);
    },
  }));
}

/** Reads the digests of homebrews by id, which must be those that the ruleset has. */
export function readHomebrews(reader, { digests }, at) {
  const known = new Map(digests), named = new Set();
  reader.members(RECORD, id => {
    if (named.has(id)) reader.refuseIn(id, "stands here twice", reader.nameAt);
    named.add(id);
    reader.member(id, { read: readDigest, id, known: known.get(id) });
  });
  const missing = [...known.keys()].find(id => !named.has(id));
  if (missing === undefined) return;
  reader.refuse(`the character is played without the homebrew ${missing}, which is used here: leave it out, or pin the ` +
    "character anew", at);
}

function readDigest(reader, { id, known }, at) {
  const digest = reader.quoted();
  if (known === digest && known) return;
  reader.refuse(known === undefined ? unusedHomebrew(id) : !known ?
    `nobody knows the digest of the homebrew ${id} that is used here` :
    `the homebrew ${id} that is used here is another: its digest is ${known}, not ${digest}: use the one that the ` +
      "character names, or pin the character anew", at);
}
