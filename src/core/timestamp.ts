import { z } from "zod";
import { accepting } from "./accepted-form.ts";
import { readTime } from "./relative-time.ts";
import { parseInstant } from "./time.ts";

/** An instant in an answer: ISO 8601, UTC, milliseconds, as `toTimestamp` writes it. */
export const Timestamp = z.string();

/** An instant in a body or query, still as text; `parseInstant` reads it after the schema accepted it. */
export const IsoInstant = accepting(
  z.string().refine((value) => parseInstant(value) !== null),
  "an ISO 8601 time with a zone, such as 2026-11-20T07:34:00Z",
);

/** Later than every time that somebody asks for: whether a text is a time does not depend on the moment. */
const lateEnough = Date.UTC(9999, 0);

/** An instant as people write it, still as text; `readTime` reads it after the schema accepted it. */
export const WrittenInstant = accepting(
  z.string().refine((value) => readTime(value, lateEnough) !== null),
  "an ISO 8601 time with a zone, a date, now, or an age such as -7d",
);
