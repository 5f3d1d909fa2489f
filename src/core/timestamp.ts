import { z } from "zod";
import { accepting } from "./accepted-form.ts";
import { readTime } from "./relative-time.ts";
import { parseInstant } from "./time.ts";

/** An instant in an answer: ISO 8601, UTC, milliseconds, as `toTimestamp` writes it. */
export const Timestamp = z.string();

/** Still text; `parseInstant` reads it after the schema accepted it. */
export const IsoInstant = accepting(
  z.string().refine((value) => parseInstant(value) !== null),
  "an ISO 8601 time with a zone, such as 2026-11-20T07:34:00Z",
);

/** Ages count back from here, so that the check does not depend on the current time. */
const lateEnough = Date.UTC(9999, 0);

/** Still text; `readTime` reads it after the schema accepted it. */
export const WrittenInstant = accepting(
  z.string().refine((value) => readTime(value, lateEnough) !== null),
  "an ISO 8601 time with a zone, a date, now, or an age such as -7d",
);
