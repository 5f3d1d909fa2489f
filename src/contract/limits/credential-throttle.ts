import type { Database } from "../../store/engine/database.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import { countAttempt } from "./attempts.ts";

/** 30 refused secrets a minute from one address is guessing, not a mistake. */
const refusedPerMinute = 30;

/** Notes that an address presented a secret nobody knows: null, or the seconds it has to wait for the next try. */
export const noteRefusedSecret = (db: Database, address: string, now: Instant): Promise<number | null> =>
  countAttempt(
    db,
    { kind: "address_bad_credential", lengthMs: minuteMs, limit: refusedPerMinute },
    address,
    now,
  );

export const guessingMessage = "Too many refused credentials came from this address. Wait a minute.";
