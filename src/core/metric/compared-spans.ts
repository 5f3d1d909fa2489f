import { z } from "zod";
import { readTime } from "../relative-time.ts";
import { dayMs, type Instant } from "../time.ts";
import { WrittenInstant } from "../timestamp.ts";
import { aheadMs, longestSpanMs } from "./period.ts";

/** The default length of the target, ms: a week, so that it has every day of the week. */
const usualTargetMs = 7 * dayMs;

export const comparedSpansInput = {
  base: z.literal("previous").optional(),
  base_from: WrittenInstant.optional(),
  base_to: WrittenInstant.optional(),
  target_from: WrittenInstant.optional(),
  target_to: WrittenInstant.optional(),
};

type SpanField = keyof typeof comparedSpansInput;

type RequestedSpans = { readonly [Field in SpanField]?: string | undefined };

/** `from` inclusive, `to` exclusive. */
interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

export interface ComparedSpans {
  readonly base: Span;
  readonly target: Span;
}

export interface SpanMistake {
  readonly field: SpanField;
  readonly message: string;
}

export const isSpanMistake = (spans: ComparedSpans | SpanMistake): spans is SpanMistake => "field" in spans;

const mistake = (field: SpanField, words: string): SpanMistake => ({ field, message: `${field} ${words}` });

/** An end that is not given comes from `usual`. */
function spanOf(
  side: "base" | "target",
  requested: RequestedSpans,
  usual: Span,
  now: Instant,
): Span | SpanMistake {
  const [fromField, toField] = [`${side}_from`, `${side}_to`] as const;
  const [fromText, toText] = [requested[fromField], requested[toField]];
  if (fromText === undefined && toText !== undefined)
    return mistake(toField, `needs a ${fromField} before it.`);
  const from = fromText === undefined ? usual.from : readTime(fromText, now);
  const to = toText === undefined ? usual.to : readTime(toText, now);
  if (from === null) return mistake(fromField, "lies before 1970.");
  if (to === null) return mistake(toField, "lies before 1970.");
  if (to > now + aheadMs) return mistake(toField, "takes a time that is not ahead of now.");
  const end = Math.min(to, now);
  if (from >= end) return mistake(fromField, `takes a time before ${toField}, and before now.`);
  if (end - from > longestSpanMs) return mistake(fromField, `and ${toField} lie 366 days apart at most.`);
  return { from, to: end };
}

/** Expects texts that the schema accepted. The base may lie after the target, but must not overlap it. */
export function readComparedSpans(requested: RequestedSpans, now: Instant): ComparedSpans | SpanMistake {
  const target = spanOf("target", requested, { from: now - usualTargetMs, to: now }, now);
  if ("field" in target) return target;
  const before = { from: 2 * target.from - target.to, to: target.from };
  if (requested.base !== undefined && (requested.base_from ?? requested.base_to) !== undefined)
    return mistake("base", "goes alone: send either base, or base_from and base_to.");
  const base = spanOf("base", requested, before, now);
  if ("field" in base) return base;
  if (base.from < target.to && target.from < base.to)
    return mistake("base_from", "and base_to lie outside of the target: the two periods do not overlap.");
  return { base, target };
}
