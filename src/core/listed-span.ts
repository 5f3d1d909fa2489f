import { z } from "zod";
import { dayMs, parseInstant, type Instant } from "./time.ts";
import { IsoInstant } from "./timestamp.ts";

export const daysInput = { days: z.int().min(1).max(365).optional() };

/** The last `days`, or two instants: `since` inclusive, `until` exclusive. */
export const listedSpanInput = { ...daysInput, since: IsoInstant.optional(), until: IsoInstant.optional() };

interface RequestedSpan {
  readonly days?: number | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `days` sets both ends. Null: no mistake. */
export const spanMistake = ({ days, since, until }: RequestedSpan): string | null =>
  days !== undefined && (since !== undefined || until !== undefined)
    ? "days cannot be combined with since or until: send either days, or since and until."
    : null;

/** Null: that end is open. */
export const readSpan = (
  { days, since, until }: RequestedSpan,
  now: Instant,
): { readonly from: Instant | null; readonly to: Instant | null } => ({
  from: days === undefined ? instantOf(since) : now - days * dayMs,
  to: instantOf(until),
});

const instantOf = (text: string | undefined): Instant | null =>
  text === undefined ? null : parseInstant(text);
