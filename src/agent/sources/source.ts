import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import type { Instant } from "../../core/time.ts";

/** What a sample holds beside its times; what cannot be measured is left out, never guessed. */
export type Measured = Partial<Omit<SampleBody, "sampled_at" | "paused_since">>;

/** What one source saw since it was last asked. */
export interface Reading {
  readonly measured?: Measured;
  /** How long ago the main thread last ticked, ms; left out where it cannot be known. */
  readonly lastTickAgeMs?: number;
  readonly bootedAt?: Instant;
  /** Since when an empty server has been paused, by its own word. */
  readonly pausedSince?: Instant;
  readonly events?: readonly EventBody[];
  /** The server said that it stops (`stopping`), or that it runs (`started`); the later of two counts. */
  readonly announced?: { readonly what: "stopping" | "started"; readonly at: Instant };
  /** To be called once the events are on disk: what was read up to here need not be read again. */
  readonly settle?: () => Promise<void>;
}

/** One line of `agent check`: what can be read here; where it cannot, how to switch it on. */
export interface Finding {
  readonly able: boolean;
  /** What this is about, in a few words: "RCON", "heap of the JVM". */
  readonly about: string;
  /** One sentence. Never a secret, and no text of the server that was not made harmless. */
  readonly says: string;
}

/** One way to learn something about a game server. It fails alone: a rejected reading costs only its own figures. */
export interface Source {
  readonly name: string;
  /** The fields of `current` that it can tell here; the first source of the list that tells a field is believed. */
  check(signal: AbortSignal): Promise<readonly Finding[]>;
  /** At most once at a time. Rejects with what went wrong in one line; the next call tries again. */
  read(now: Instant, signal: AbortSignal): Promise<Reading>;
  close(): Promise<void>;
}
