import type { ErrorCode } from "../errors.ts";
import { minuteMs, secondMs, type Instant } from "../time.ts";
import type { ListedToken } from "./account.ts";

/** One call of a token and its result, never the data that was sent. */
export interface ActivityEntry {
  readonly accountId: string;
  readonly tokenId: string;
  /** Id of the endpoint, the same over REST and the connector. */
  readonly call: string;
  readonly status: number;
  /** Null if the call succeeded. */
  readonly error: ErrorCode | null;
}

/** Equal calls close together; `at` is the time of the last one. */
export interface Activity extends ActivityEntry {
  readonly id: string;
  readonly at: Instant;
  readonly times: number;
}

export interface ActivityRecord extends Activity {
  readonly token: Pick<ListedToken, "id" | "name" | "kind" | "client">;
}

/** The name is empty if the token's row is deleted. */
export interface ActiveToken extends Pick<ListedToken, "id" | "name" | "revokedAt"> {
  readonly lastAt: Instant;
}

/** Activity is written this often, ms; a crash loses at most this much. */
export const activityGrainMs = secondMs;

/** No rate limit stops uncounted calls, so equal ones share a row for this long, ms. */
export const uncountedGrainMs = minuteMs;
