/** Faces in the order in which they fall, or by the id of their die. */
export type Faces =
  ReadonlyArray<number> | { readonly [die: string]: ReadonlyArray<number> };

/** A member that may be left out where all of its own may be. */
export type Given<Name extends string, Value> = {} extends Value
  ? { readonly [name in Name]?: Value }
  : { readonly [name in Name]: Value };

/** What people call some words. */
export type Labels<Word extends string> = { readonly [word in Word]: string };

/** One use of a rule, or the start of a procedure. Without dice and seed faces are drawn by chance. */
export type Request<Character, Options, Input> = Character &
  Given<"input", Input> & {
    readonly options?: Options;
    readonly dice?: Faces;
    readonly seed?: number;
  };

/** The answer of a rule. */
export interface Sheet<Output> {
  readonly ruleset: string;
  readonly revision: string;
  readonly rule: string;
  readonly options: { readonly [option: string]: string };
  readonly seed?: number;
  readonly dice?: { readonly [die: string]: ReadonlyArray<number> };
  readonly output: Output;
}

/** The distribution of an output, over every way in which the dice can fall. */
export interface Distribution<Value> {
  readonly mean?: number;
  readonly exact_mean?: string;
  readonly deviation?: number;
  readonly distribution: ReadonlyArray<{
    readonly value: Value;
    readonly p: number;
    readonly exact?: string;
  }>;
}

/** What is asked of odds besides a character and an input. */
export type Chance<Character, Options, Input, Output> = Character &
  Given<"input", Input> & {
    readonly options?: Options;
    readonly outputs?: ReadonlyArray<keyof Output & string>;
    /** A condition over the outputs; only a server answers it. */
    readonly given?: string;
    readonly exact?: boolean;
    /** All outputs together, too. */
    readonly joint?: boolean;
  };

/** How likely it is that there are no outputs, and why. */
export interface Ending {
  readonly message: string;
  readonly p: number;
  readonly exact?: string;
}

/** The odds of a rule. All that may happen adds up to 1. */
export interface Odds<Output> {
  readonly odds: {
    readonly [name in keyof Output]?: Distribution<Output[name]>;
  };
  readonly joint?: ReadonlyArray<{
    readonly output: Partial<Output>;
    readonly p: number;
    readonly exact?: string;
  }>;
  readonly refused?: ReadonlyArray<Ending>;
  readonly failed?: ReadonlyArray<Ending>;
  /** How likely dice explode further than was followed. */
  readonly unfollowed?: number;
}

/** A rule. */
export interface Rule<Character, Options, Input, Output> {
  (request: Request<Character, Options, Input>): Promise<Sheet<Output>>;
  /** The odds of the outputs: of a server, or of a package that has them. */
  odds(
    request: Chance<Character, Options, Input, Output>,
  ): Promise<Odds<Output>>;
}

/** An event that is tried, as "roll", 'roll {"difficulty": "hard"}' or, of a server, "roll: state.pool > 1". */
export type Move<Events> =
  | (keyof Events & string)
  | `${keyof Events & string} ${string}`
  | `${keyof Events & string}:${string}`;

/** What is asked of the odds of a procedure. */
export type Policy<Start, Options, Input, Events> = Start &
  Given<"input", Input> & {
    readonly options?: Options;
    /** The events, in the order in which they are tried. */
    readonly policy: ReadonlyArray<Move<Events>>;
    /** The situation after so many events is asked for. */
    readonly after?: number;
    /** How many events are followed. */
    readonly most?: number;
    readonly exact?: boolean;
  };

/** How a play stands that no event follows, beside the ends of its procedure. */
export type Halt = "stuck" | "refused" | "endless" | "outgrown";

/** A situation after some events, and how likely it is. */
export interface Situation<Character, State, Status extends string> {
  readonly status: Status | Halt;
  /** Absent of an end that an earlier event has reached; the character also where no event changes it. */
  readonly state?: State;
  readonly character?: Character;
  readonly p: number;
  readonly exact?: string;
}

/** How a procedure ends, and how likely. */
export interface Course<Character, State, Status extends string> {
  readonly ends: ReadonlyArray<{
    readonly status: Exclude<Status, "open"> | Halt;
    readonly p: number;
    readonly most?: number;
    readonly exact?: string;
    /** How likely it ends so with each event, the start being 0. */
    readonly by_event: ReadonlyArray<number>;
  }>;
  /** How likely it goes on after the events that were followed. */
  readonly open: number;
  readonly exact_open?: string;
  readonly mean_events?: number;
  readonly least_mean_events?: number;
  readonly exact_mean_events?: string;
  /** The situations after so many events as were asked for. */
  readonly after?: ReadonlyArray<Situation<Character, State, Status>>;
}

/** A procedure. */
export interface Procedure<
  Start,
  Character,
  Options,
  Input,
  Output,
  State,
  Status extends string,
  Events,
> {
  start(
    request: Request<Start, Options, Input>,
  ): Promise<Play<Character, Output, State, Status, Events>>;
  /** How it ends when events are tried in an order. */
  odds(
    request: Policy<Start, Options, Input, Events>,
  ): Promise<Course<Character, State, Status>>;
}

/** What a procedure and its play have in common with their sheet. */
interface Standing<Character, Output, State> {
  readonly character: Character;
  readonly output: Output;
  readonly state: State;
  /** The sheet as the server writes it. */
  readonly sheet: string;
}

/** A procedure in which events may happen. It stays as it is: an event returns the play that follows. */
export interface OpenPlay<
  Character,
  Output,
  State,
  Status extends string,
  Events,
> extends Standing<Character, Output, State> {
  readonly status: "open";
  do<Name extends keyof Events & string>(
    event: Name,
    ...given: Events[Name] extends { readonly input: infer Input }
      ? {} extends Input
        ? [input?: Input, dice?: Faces]
        : [input: Input, dice?: Faces]
      : never
  ): Promise<
    Happened<
      Events[Name] extends { readonly output: infer Outputs } ? Outputs : never,
      Play<Character, Output, State, Status, Events>
    >
  >;
}

/** A procedure that has ended. */
export interface EndedPlay<
  Character,
  Output,
  State,
  Status extends string,
> extends Standing<Character, Output, State> {
  readonly status: Exclude<Status, "open">;
}

/** A procedure as it stands. */
export type Play<Character, Output, State, Status extends string, Events> =
  | OpenPlay<Character, Output, State, Status, Events>
  | EndedPlay<Character, Output, State, Status>;

/** An event that happened. */
export interface Happened<Outputs, Next> {
  readonly output: Outputs;
  readonly dice: { readonly [die: string]: ReadonlyArray<number> };
  readonly play: Next;
}

/** The release that a client is made for. */
export interface Release {
  readonly ruleset: string;
  readonly revision: string;
  readonly plan: string;
}

/** A way to be answered. Bodies and answers are JSON. */
export interface Way {
  /** The digest of a release, or undefined where it is not there. */
  digest(release: Release): Promise<string | undefined>;
  answer(
    release: Release,
    id: string,
    what: "eval" | "odds",
    body: string,
  ): Promise<string>;
}

/** Asks a server, "rules serve". */
export declare function overHTTP(
  url: string,
  options?: {
    readonly headers?: { readonly [name: string]: string };
    readonly fetch?: typeof fetch;
  },
): Way;

interface GeneratedRuleset {
  readonly ruleset: string;
  readonly revision: string;
  readonly digest: string;
}

/** Asks modules that "rules generate js" wrote, all of one ruleset: import * as modules from "./tempestas/index.js". */
export declare function inProcess(
  modules: { readonly ruleset: GeneratedRuleset },
  /** That of the modules: it may be left out. */
  ruleset?: GeneratedRuleset,
  options?: {
    /** Answers the JSON of a question with the JSON of its odds. */
    readonly odds?: (question: string) => Promise<string>;
  },
): Way;

/** Why there is no answer: problem details (RFC 9457). */
export declare class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  /** Of the value that does not fit: "character.skills.stealth". */
  readonly path?: string;
  readonly cite?: string;
  /** The index of the event that did not happen. */
  readonly event?: number;
  /** In process, the die of which a face is missing: its id, how many sides it has, and what they show if not 1, 2, 3. */
  readonly die?: string;
  readonly sides?: number;
  readonly shows?: ReadonlyArray<number>;
}

/** The answers would be of other rules than the client is made for. */
export declare class Mismatch extends Error {}

/** A whole number lies beyond 2^53, where numbers of JavaScript are not exact. */
export declare class Beyond extends Error {}

/** What may be asked of a release. */
export interface Names {
  readonly rules: ReadonlyArray<string>;
  readonly procedures: ReadonlyArray<string>;
}

/** Returns a client, once it is known that the answers are of the release. */
export declare function connectTo(
  way: Way,
  release: Release,
  names: Names,
): Promise<never>;

/** Returns a client of a way that is known to be of the release. */
export declare function clientOf(
  way: Way,
  release: Release,
  names: Names,
): never;
