// Dice: faces that are given or drawn, and the one evaluation in which they fall.

import { DiceError, Failure, beyond, fault, raise } from "./faults.js";
import { beyondFault } from "./numbers.js";
import { compareText, nearest, quote } from "./text.js";

const MAX_WORK = 4e6, MAX_CHAIN = 1000;

/** One evaluation: its faces, and how much work it may still do. */
export class Evaluation {
  constructor(source, leaveOut = false) {
    this.source = source;
    this.leaveOut = leaveOut; // the dice that nothing reads, which are not rolled
    this.work = MAX_WORK;
    this.faces = new Map(); // by the id of their die, in the order in which the dice fell
  }

  /** Counts work, so that every evaluation ends. */
  charge(n) {
    if ((this.work -= n) < 0) throw new Failure(`the evaluation takes more than ${MAX_WORK} steps`);
  }

  /** Refuses faces that were given and did not fall. */
  end() {
    this.source.rest();
    this.hasEnded = true; // what fails now is an output
  }
}

export function joinTexts(r, a, b) {
  r.charge((a.length + b.length) / 16);
  return a + b;
}
export function joinLists(r, a, b) {
  r.charge(a.length + b.length);
  return a.concat(b);
}

const faultOf = ({ place, id }, reason) => fault(() => reason, [place, `die ${id}`, ""]);

// unrollable returns why a die cannot be rolled, or null.
function unrollable(die, faces, count) {
  if (faces < 1) return faultOf(die, `a die has no ${faces} faces`);
  if (count < 0) return faultOf(die, `${count} dice cannot be rolled`);
  if (die.most && count > die.most) return faultOf(die, `${count} dice are more than the ${die.most} that are declared`);
  if (!die.distinct || count <= faces) return null;
  return faultOf(die, `${count} distinct faces are more than the ${faces} that the die has`);
}

/** What a die shows, or a list of what its dice show. loops are the iterations around it. */
export function rollDice(r, die, guard, faces, count = 1, failed = null, loops = []) {
  const nothing = die.list ? [] : 0, isIdle = r.leaveOut && die.idle;
  if (!guard) return nothing;
  if (!isIdle || failed === beyond) raise(failed); // with exact ints something may read the die
  const bad = unrollable(die, faces, count);
  if (isIdle) return bad ? nothing : die.idle(die, faces, count);
  raise(bad);
  let next = 0;
  const totals = [], draw = { die, faces, seen: totals, id: die.id.replace(/\[\*\]/g, () => `[${loops[next++]}]`) };
  r.charge(count);
  for (let i = 0; i < count; i++) totals.push(rollChain(r, draw));
  return die.list ? totals : totals[0];
}

function append(lists, id, face) {
  if (!lists.has(id)) lists.set(id, []);
  lists.get(id).push(face);
}

const holds = (band, n) => band !== undefined && band[0] <= n && n <= band[1];

// rollChain returns the total of one die that is rolled again and on.
function rollChain(r, draw) {
  const { die, id } = draw;
  let total = 0, again = false, on = 0;
  for (let i = 0; i < MAX_CHAIN; i++) {
    r.charge(1);
    const face = r.source.face(draw), shown = die.shows?.[face - 1] ?? face;
    append(r.faces, id, shown);
    again = holds(die.again, face) && !(die.once && again);
    if (again) continue;
    total += die.adds ? shown : face;
    if (!holds(die.explode, face) || die.times && on === die.times) {
      raise(beyondFault(total));
      return total;
    }
    on++;
  }
  return raise(faultOf(die, `a die was rolled again or on more than ${MAX_CHAIN} times`));
}

/** Faces that can fall, for a die that is not rolled because nothing reads it. */
export function standIn(die, faces, count) {
  let face = 1;
  while (face < faces && (holds(die.again, face) || holds(die.explode, face))) face++;
  const worth = die.adds ? die.shows[face - 1] : face;
  return die.list ? Array.from({ length: count }, (_, i) => die.distinct ? i + 1 : worth) : worth;
}

// faceOf returns the number of a face that was given by what it shows.
function faceOf({ die, id, faces, seen }, given, position) {
  const { shows } = die, face = given === 0 ? die.zero ?? 0 : given;
  const isFace = Number.isInteger(face) && face >= 1 && face <= faces;
  const matching = shows ? shows.flatMap((shown, k) => shown === given ? [k + 1] : []) : isFace ? [face] : [];
  const found = matching.find(k => !(die.distinct && seen.includes(k)));
  if (found !== undefined) return found;
  const spent = matching.length === 1 ? "but no face falls twice" : `and all ${matching.length} of them have fallen`;
  throw new DiceError(id, `face ${position} given is ${given}` + (matching.length ? ` again, ${spent}` :
    `, but the die shows ${shows ? listShown(shows) : `1 to ${faces}`}`));
}

function listShown(shows) {
  const words = [...new Set(shows)].sort((a, b) => a - b), last = words.pop();
  return words.length ? `${words.join(", ")} or ${last}` : `${last}`;
}

// refuseRest refuses faces that were given and did not fall.
function refuseRest(id, given, fell) {
  throw new DiceError(id, id && !fell ? "faces are given, but no such die falls" :
    `too many faces: ${given} given, but ${fell} fell`);
}

/** The faces of a request for a definition without dice. */
export const takeNone = ({ dice }) => ({
  rest() {
    const given = Array.isArray(dice) ? { "": dice } : dice ?? {}, ids = Object.keys(given).sort(compareText);
    for (const id of ids) if (given[id].length !== 0) refuseRest(id, given[id].length, 0);
  },
});

/** Faces in the order in which they fall. */
export class FaceList {
  constructor(faces) {
    this.list = faces;
    this.next = 0;
  }
  face(draw) {
    if (this.next === this.list.length) {
      throw new DiceError(draw.id, `too few faces: ${this.list.length} given, and another is needed`, draw);
    }
    const given = this.list[this.next++];
    return faceOf(draw, given, this.next);
  }
  rest(id = "") {
    if (this.next !== this.list.length) refuseRest(id, this.list.length, this.next);
  }
}

/** The id of a die without the uses in which it falls: roll of strike[1].roll. */
const lastStep = (id) => id.slice(id.lastIndexOf(".") + 1);

/** Faces by the id of their die. */
export class FacesByID {
  constructor(faces) {
    this.lists = new Map(Object.entries(faces).map(([id, list]) => [id, new FaceList(list)]));
  }
  face(draw) {
    const list = this.lists.get(draw.id);
    if (list) return list.face(draw);
    const idle = [...this.lists].filter(([, l]) => !l.next).map(([id]) => id);
    const own = idle.filter((id) => lastStep(id) === lastStep(draw.id)).sort(compareText);
    const near = own[0] ?? nearest(draw.id, idle);
    throw new DiceError(draw.id, "no face is given for this die" + (near && `; are those of ${quote(near)} meant`), draw);
  }
  /** Whether a face is given next; a 0 that is none is passed over. */
  has({ die, id }) {
    const list = this.lists.get(id);
    if (!list || list.next === list.list.length) return false;
    const isLeft = list.list[list.next] === 0 && !die.zero && !die.shows?.includes(0);
    if (isLeft) list.next++;
    return !isLeft;
  }
  rest() {
    for (const id of [...this.lists.keys()].sort(compareText)) this.lists.get(id).rest(id);
  }
}

const CHACHA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574], LABEL = [0x656c7572, 0x00312f73]; // "rules/1"

/** Faces drawn from a seed: the stream of C2SP chacha8rand whose key is the seed, the record, the event and "rules/1". Those
 * that are given by the id of their die are not drawn, unless one is a 0 of a die that shows none. Every face takes its draw,
 * so that giving one changes no other. */
class DrawnFaces {
  constructor({ dice, seed, record = 0 }, event = 0) {
    this.lists = dice && new FacesByID(dice);
    this.origin = new Map(); // by the id of their die, the faces that were given, and 0 for each that was drawn
    this.key = new Uint32Array(8);
    this.key.set(LABEL, 6);
    [seed, record, event].forEach((n, k) => {
      const bits = BigInt.asUintN(64, BigInt(n));
      this.key[2 * k] = Number(bits & 0xffffffffn);
      this.key[2 * k + 1] = Number(bits >> 32n);
    });
    this.words = new Uint32Array(64); // four blocks side by side
    this.counter = this.next = this.end = 0;
  }

  fill() {
    const x = new Uint32Array(16);
    const quarter = (a, b, c, d) => {
      let t;
      x[a] += x[b]; t = x[d] ^ x[a]; x[d] = t << 16 | t >>> 16;
      x[c] += x[d]; t = x[b] ^ x[c]; x[b] = t << 12 | t >>> 20;
      x[a] += x[b]; t = x[d] ^ x[a]; x[d] = t << 8 | t >>> 24;
      x[c] += x[d]; t = x[b] ^ x[c]; x[b] = t << 7 | t >>> 25;
    };
    if (this.counter === 16) {
      this.key = this.words.slice(56);
      this.counter = 0;
    }
    for (let n = 0; n < 4; n++) {
      x.set(CHACHA);
      x.set(this.key, 4);
      x.set([this.counter++, 0, 0, 0], 12);
      for (let round = 0; round < 8; round += 2) {
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
      }
      for (let i = 0; i < 16; i++) this.words[4 * i + n] = i >= 4 && i < 12 ? x[i] + this.key[i - 4] : x[i];
    }
    this.next = 0;
    this.end = this.counter === 16 ? 56 : 64; // the last words of four fills are the next key
  }

  /** A number below n: the upper half of the product with 64 bits, unless the lower half is among the few too many. */
  below(n) {
    for (;;) {
      if (this.next === this.end) this.fill();
      const low = this.words[this.next++], high = this.words[this.next++], upper = high * n + Math.floor(low * n / 2 ** 32);
      if (n <= 2 ** 21 && upper % 2 ** 32 !== 0) return Math.floor(upper / 2 ** 32); // exact, and not among them
      const product = (BigInt(high) << 32n | BigInt(low)) * BigInt(n);
      if (BigInt.asUintN(64, product) >= 2n ** 64n % BigInt(n)) return Number(product >> 64n);
    }
  }

  face(draw) {
    const { die, id, faces, seen } = draw;
    let face;
    do face = this.below(faces) + 1; while (die.distinct && seen.includes(face));
    if (die.distinct && die.shows) face = faceOf(draw, die.shows[face - 1]); // of cards that are alike the first that is left
    const isGiven = this.lists?.has(draw);
    if (isGiven) face = this.lists.face(draw);
    if (this.lists) append(this.origin, id, isGiven ? face : 0);
    this[isGiven ? "given" : "drawn"] = true;
    return face;
  }
  rest() { this.lists?.rest(); }
}

/** The faces of a request for a definition that rolls dice. */
export function takeFaces(request, event) {
  const { dice, seed } = request;
  if (seed === undefined) return dice && !Array.isArray(dice) ? new FacesByID(dice) : new FaceList(dice ?? []);
  return new DrawnFaces(request, event);
}
