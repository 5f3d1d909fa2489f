import { dayMs, type Instant } from "./time.ts";

/** A creation may be retried with its key for 24 hours, and without one for 10 minutes. */
export const keyedReplayMs = dayMs;
export const unkeyedReplayMs = 10 * 60 * 1000;

/** Identifies a retry of the same creation. */
export interface Replay {
  readonly accountId: string;
  readonly route: string;
  readonly key: string | null;
  /** Fingerprint of the accepted input. */
  readonly bodyDigest: string;
  readonly now: Instant;
}

export type Replayed<T> =
  | { readonly kind: "created" | "same"; readonly value: T }
  /** The key was used before, with another body. */
  | { readonly kind: "mismatch" };
