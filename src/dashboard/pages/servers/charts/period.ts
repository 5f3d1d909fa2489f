import { dayMs, hourMs, minuteMs, toTimestamp, type Instant } from "../../../../core/time.ts";

/** Periods that end now, shortest first. */
export const presets = [
  ["1h", "1 h", hourMs],
  ["6h", "6 h", 6 * hourMs],
  ["24h", "24 h", dayMs],
  ["7d", "7 d", 7 * dayMs],
  ["30d", "30 d", 30 * dayMs],
  ["90d", "90 d", 90 * dayMs],
  ["1y", "1 y", 365 * dayMs],
] as const;

export type Preset = (typeof presets)[number];

const usual = presets[1];

/** Between two times, ms. */
const shortestMs = minuteMs;

export interface Chosen {
  /** Null if two times were requested. */
  readonly preset: Preset | null;
  readonly from: Instant;
  readonly to: Instant;
  /** Why this is not the requested period; null if it is. */
  readonly instead: string | null;
}

/** Null for what the address leaves out. */
interface RequestedPeriod {
  readonly range: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

export const requestedPeriodIn = (query: URLSearchParams): RequestedPeriod => ({
  range: query.get("range"),
  from: query.get("from"),
  to: query.get("to"),
});

/** Whether the retention covers the whole period. */
export const isShown = ([, , ms]: Preset, retentionDays: number): boolean => ms <= retentionDays * dayMs;

/** The requested period, or the nearest that the plan shows. Null if the plan shows none. */
export function choosePeriod(asked: RequestedPeriod, retentionDays: number, now: Instant): Chosen | null {
  const longest = presets.findLast((preset) => isShown(preset, retentionDays));
  if (!longest) return null;
  const ofPreset = (preset: Preset, instead: string | null): Chosen => ({
    preset,
    from: now - preset[2],
    to: now,
    instead,
  });
  const usualHere = isShown(usual, retentionDays) ? usual : longest;
  const [begin, end] = [timeOf(asked.from), timeOf(asked.to)];
  if (begin !== null && end !== null && begin < end && end <= oldestShown(retentionDays, now))
    return ofPreset(
      usualHere,
      `The plan shows the last ${retentionDays} days, so the charts show ${usualHere[1]} instead of an earlier time.`,
    );
  if (asked.from !== null || asked.to !== null)
    return (
      betweenTimes(asked, retentionDays, now) ??
      ofPreset(
        usualHere,
        `These two times are not a period in the past, so the charts show ${usualHere[1]}. The first has to be before the second, and before now.`,
      )
    );
  if (asked.range === null) return ofPreset(usualHere, null);
  const wanted = presets.find(([name]) => name === asked.range);
  if (!wanted)
    return ofPreset(
      usualHere,
      `The address asks for a period that this page does not have, so the charts show ${usualHere[1]}.`,
    );
  if (isShown(wanted, retentionDays)) return ofPreset(wanted, null);
  return ofPreset(
    longest,
    `The plan shows the last ${retentionDays} days, so the charts show ${longest[1]} instead of ${wanted[1]}.`,
  );
}

/** Cut to what the plan shows; null if nothing is left. */
function betweenTimes({ from, to }: RequestedPeriod, retentionDays: number, now: Instant): Chosen | null {
  const [begin, end] = [timeOf(from), to === null ? now : timeOf(to)];
  if (begin === null || end === null || begin >= end || begin >= now) return null;
  const oldest = oldestShown(retentionDays, now);
  const last = Math.min(end, now);
  return {
    preset: null,
    from: Math.min(Math.max(begin, oldest), last - shortestMs),
    to: last,
    instead:
      begin < oldest - shortestMs
        ? `The plan shows the last ${retentionDays} days, so the charts begin there instead of at the time that the address asks for.`
        : null,
  };
}

export const oldestShown = (retentionDays: number, now: Instant): Instant => now - retentionDays * dayMs;

/** As an address or a date field writes it: without a zone it is UTC. */
function timeOf(text: string | null): Instant | null {
  if (text === null || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const at = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(at) || at < 0 ? null : at;
}

/** As endpoints take it. */
export const periodInputOf = ({ preset, from, to }: Chosen) =>
  preset === null ? { from: toTimestamp(from), to: toTimestamp(to) } : { range: preset[0] };
