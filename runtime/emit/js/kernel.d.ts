/** What was asked is not legal: a requirement does not hold. */
export class Refused extends Error {}

/** A formula has no value. */
export class Failure extends Error {
  readonly reason: string;
  readonly site: { readonly place: string; readonly name: string; readonly cite: string };
}

/** JSON does not fit its schema. line and column are 0 where no text was given. */
export class InputError extends Error {
  readonly root: string;
  readonly path: string;
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/** A face was given too many, too few, or the die does not have it. */
export class DiceError extends Error {
  readonly id: string;
  readonly missing: boolean;
  /** Of a face that is missing: how many the die has, and what they show if not 1, 2, 3 and so on. */
  readonly sides?: number;
  readonly shows?: readonly number[];
}

/** An event of a procedure is not offered: its guard does not hold, or the procedure has ended. */
export class NotOffered extends Error {}

/** A whole number has left 2^53, beyond which numbers of JavaScript are not exact. */
export class Beyond extends Error {}

/** The faces of dice. */
export interface Throw {
  /** Faces in the order in which they fall, or by the id of their die. */
  dice?: readonly number[] | { readonly [id: string]: readonly number[] };
  /** From which faces are drawn that are not given: those of "rules eval --seed". */
  seed?: number | bigint;
}

/** An input may be left out if all of it may. */
type Given<Input> = {} extends Input ? { input?: Input | string } : { input: Input | string };

type Asked<Input, Request> = {} extends Input ? [request?: Request] : [request: Request];

/** One use of a rule. Records are objects, of which counts what JSON.stringify writes, or JSON texts; an error in a text has
 * a line and a column. */
export type Request<Character, Input> = Throw & Given<Input> & {
  character?: Character | string;
  /** The number among the records of a batch, which keys the draws. */
  record?: number | bigint;
};

/** A rule that can be evaluated. Its errors are Refused, Failure, InputError, DiceError and Beyond. */
export interface Rule<Character, Input, Output> {
  readonly id: string;
  /** The outputs of a request. */
  evaluate(...request: Asked<Input, Request<Character, Input>>): Output;
  /** The sheet of a request as JSON, byte for byte the line of "rules eval --ndjson". */
  sheet(...request: Asked<Input, Request<Character, Input>>): string;
}

/** A procedure that can be played. */
export interface Procedure<Character, Input, Events, Status, Output> {
  readonly id: string;
  /** Begins a play. */
  start(...request: Asked<Input, Request<Character, Input>>): Play<Character, Events, Status, Output>;
}

type InputOf<Event> = Event extends { input: infer Input } ? Input : {};

/** A procedure as it is being played. state and character are copies. */
export interface Play<Character, Events, Status, Output> {
  readonly status: Status;
  readonly output: Output;
  readonly state: unknown;
  readonly character: Character;
  /** Lets an event happen, and returns its outputs. One that is refused, or fails, changes nothing. */
  do<Name extends keyof Events>(
    event: Name,
    ...request: Asked<InputOf<Events[Name]>, Throw & Given<InputOf<Events[Name]>>>
  ): Events[Name] extends { output: infer Outputs } ? Outputs : never;
  /** The sheet of the play as JSON, byte for byte the line of "rules eval --ndjson". */
  sheet(): string;
}
