import type { ErrorCode } from "../errors.ts";
import { minuteMs, secondMs, type Instant } from "../time.ts";
import type { ListedToken } from "./account.ts";

/** Something a token did, or tried to do: which call, and how it ended. Never with what was sent. */
export interface ActivityEntry {
  readonly accountId: string;
  readonly tokenId: string;
  /** The id of the endpoint, whichever face it was called through. */
  readonly call: string;
  readonly status: number;
  /** Null where it succeeded. */
  readonly error: ErrorCode | null;
}

/** Deeds that are alike and close together: `at` is when the last of them was done. */
export interface Activity extends ActivityEntry {
  readonly id: string;
  readonly at: Instant;
  readonly times: number;
}

/** As its account reads it, with the token as it is named now. */
export interface ActivityRecord extends Activity {
  readonly token: Pick<ListedToken, "id" | "name" | "kind" | "client">;
}

/** A token that did something, as it is named now; one whose row is gone has no name. */
export interface ActiveToken extends Pick<ListedToken, "id" | "name" | "revokedAt"> {
  readonly lastAt: Instant;
}

/** How often what was done is written: a crash forgets as much. */
export const activityGrainMs = secondMs;

/** Calls that are counted nowhere are held back by no window: alike ones are one row in this time, ms. */
export const uncountedGrainMs = minuteMs;
