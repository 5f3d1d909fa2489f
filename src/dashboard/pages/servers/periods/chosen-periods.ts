import { readTime } from "../../../../core/relative-time.ts";
import { dayMs, toTimestamp, type Instant } from "../../../../core/time.ts";

/** Days. Links offer two periods of this length in a row. */
const lengths = [7, 14, 30, 90] as const;

/** UTC days such as `2026-11-22`. The last day belongs to its period. */
export const dayFields = ["base_first", "base_last", "target_first", "target_last"] as const;

/** As the endpoint takes it; missing members follow from the target. */
interface PeriodsInput {
  readonly base_from?: string;
  readonly base_to?: string;
  readonly target_from: string;
  readonly target_to?: string;
}

export interface ChosenPeriods {
  readonly input: PeriodsInput;
  /** Of each of two periods up to now, days; null if days were chosen. */
  readonly days: number | null;
}

/** Lengths of which two fit into the plan's retention; half of the retention if none fits. */
export function offeredLengths(retentionDays: number): readonly number[] {
  const fitting = lengths.filter((days) => 2 * days <= retentionDays);
  return fitting.length > 0 ? fitting : [Math.max(1, Math.floor(retentionDays / 2))];
}

/** An error sentence for wrong periods. By default the last week against the week before. */
export function choosePeriods(
  query: URLSearchParams,
  retentionDays: number,
  now: Instant,
): ChosenPeriods | string {
  const offered = offeredLengths(retentionDays);
  const [base_first, base_last, target_first, target_last] = dayFields.map((name) => query.get(name) ?? "");
  if (!base_first && !base_last && !target_first && !target_last) {
    const wanted = Number(query.get("days"));
    const days = offered.find((each) => each === wanted) ?? offered[0] ?? 1;
    return { input: { target_from: `-${days}d` }, days };
  }
  const target = spanOf("later", target_first, target_last, now);
  if (typeof target === "string") return target;
  if (!base_first && !base_last)
    return { input: { target_from: target.from, target_to: target.to }, days: null };
  const base = spanOf("earlier", base_first, base_last, now);
  if (typeof base === "string") return base;
  if (base.from < target.to && target.from < base.to)
    return "The two periods overlap. Choose days that belong to one of them alone.";
  return {
    input: { base_from: base.from, base_to: base.to, target_from: target.from, target_to: target.to },
    days: null,
  };
}

/** ISO 8601; `to` is exclusive and never later than now. */
function spanOf(
  which: "earlier" | "later",
  first: string | undefined,
  last: string | undefined,
  now: Instant,
): { readonly from: string; readonly to: string } | string {
  if (!first) return `Choose the first day of the ${which} period.`;
  const from = readTime(first, now);
  const end = last ? readTime(last, now) : now - dayMs;
  if (from === null || end === null) return `The days of the ${which} period are dates such as 2026-11-22.`;
  if (from >= now) return `The first day of the ${which} period lies ahead.`;
  const to = Math.min(last ? end + dayMs : now, now);
  if (to <= from) return `The last day of the ${which} period lies before its first day.`;
  return { from: toTimestamp(from), to: toTimestamp(to) };
}
