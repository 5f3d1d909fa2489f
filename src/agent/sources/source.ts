import type { EventBody, SampleBody } from "../../outbound/plugin-client.ts";
import type { Instant } from "../../core/time.ts";

/** A figure that cannot be measured is left out, never guessed. */
export type Measured = Partial<Omit<SampleBody, "sampled_at" | "paused_since">>;

/** One reading of one source, since its last reading. */
export interface Reading {
  readonly measured?: Measured;
  /** How long ago the main thread last ticked, ms. */
  readonly lastTickAgeMs?: number;
  readonly bootedAt?: Instant;
  /** Since when an empty server has been paused, as it reported itself. */
  readonly pausedSince?: Instant;
  readonly events?: readonly EventBody[];
  /** The server's own announcement; the later of two counts. */
  readonly announced?: { readonly what: "stopping" | "started"; readonly at: Instant };
  /** Called once the events are on disk: the input so far is done. A later call makes up for a rejection. */
  readonly settle?: () => Promise<void>;
}

/** One line of `agent check`: figures that can be read here, or how to switch them on. */
export interface Finding {
  readonly able: boolean;
  /** A few words: "RCON", "heap of the JVM". */
  readonly about: string;
  /** One sentence without a secret, and without text of the server that was not made harmless. */
  readonly says: string;
}

/** One way to learn about a game server. A rejected reading costs only its own figures. */
export interface Source {
  readonly name: string;
  /** Finds out which figures this source can give. */
  check(signal: AbortSignal): Promise<readonly Finding[]>;
  /** Called at most once at a time. Rejects in one line; the next call tries again. */
  read(now: Instant, signal: AbortSignal): Promise<Reading>;
  close(): Promise<void>;
}

/** The console of a running server, for commands that give no figures. */
export interface ServerConsole {
  /** Resolves with the answer, "" where a plugin answers later. Rejects in one line. */
  run(command: string, signal: AbortSignal): Promise<string>;
}
