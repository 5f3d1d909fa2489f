import { z } from "zod";
import { accepting } from "./accepted-form.ts";
import { parseInstant } from "./time.ts";

/** An instant in an answer: ISO 8601, UTC, milliseconds, as `toTimestamp` writes it. */
export const Timestamp = z.string();

/** An instant in a body or query, still as text; `parseInstant` reads it after the schema accepted it. */
export const IsoInstant = accepting(
  z.string().refine((value) => parseInstant(value) !== null),
  "an ISO 8601 time with a zone, such as 2026-11-20T07:34:00Z",
);
