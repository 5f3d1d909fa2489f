import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import type { Instant } from "../../core/time.ts";

/** The figures of a sample; a figure that cannot be measured is left out, never guessed. */
export type Measured = Partial<Omit<SampleBody, "sampled_at" | "paused_since">>;

/** The result of one reading of one source, since its last reading. */
export interface Reading {
  readonly measured?: Measured;
  /** How long ago the main thread last ticked, ms; left out where it cannot be known. */
  readonly lastTickAgeMs?: number;
  readonly bootedAt?: Instant;
  /** The time since which an empty server has been paused, as it reported itself. */
  readonly pausedSince?: Instant;
  readonly events?: readonly EventBody[];
  /** The server said that it stops (`stopping`), or that it runs (`started`); the later of two counts. */
  readonly announced?: { readonly what: "stopping" | "started"; readonly at: Instant };
  /** Called once the events are on disk: the input up to here need not be read again. May reject; the next one makes up for it. */
  readonly settle?: () => Promise<void>;
}

/** One line of `agent check`: figures that can be read here, or how to switch them on. */
export interface Finding {
  readonly able: boolean;
  /** The subject in a few words: "RCON", "heap of the JVM". */
  readonly about: string;
  /** One sentence. Never a secret, and no text of the server that was not made harmless. */
  readonly says: string;
}

/** One way to learn something about a game server. It fails alone: a rejected reading costs only its own figures. */
export interface Source {
  readonly name: string;
  /** Finds out which figures this source can give; the first source of the list that gives a figure counts. */
  check(signal: AbortSignal): Promise<readonly Finding[]>;
  /** Called at most once at a time. Rejects with the error in one line; the next call tries again. */
  read(now: Instant, signal: AbortSignal): Promise<Reading>;
  close(): Promise<void>;
}
