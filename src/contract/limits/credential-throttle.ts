import type { Database } from "../../store/engine/database.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import { countAttempt } from "./attempt-limits.ts";

/** 30 refused secrets a minute from one address are guessing, not mistakes. */
const refusedPerMinute = 30;

/** Null, or the seconds until the next attempt is allowed. */
export const noteRefusedSecret = (db: Database, address: string, now: Instant): Promise<number | null> =>
  countAttempt(
    db,
    { kind: "address_bad_credential", lengthMs: minuteMs, limit: refusedPerMinute },
    address,
    now,
  );

export const guessingMessage =
  "Too many wrong credentials came from this address. Wait a minute, then try again.";
