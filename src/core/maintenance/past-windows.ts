import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { parseInstant, type Instant } from "../time.ts";
import type { MaintenanceRecord } from "./maintenance.ts";

/** A window of the past, `endsAt` exclusive. */
export interface PastWindow {
  readonly startedAt: Instant;
  readonly endsAt: Instant;
}

/**
 * The windows of a server in order of time, from the starts in its timeline and the last window written. The timeline
 * holds starts with their planned ends alone, so each window lasts to its planned end, but not into the next one; of
 * the last window the end is known.
 */
export function pastWindows(starts: readonly EventRecord[], last: MaintenanceRecord | null): PastWindow[] {
  const planned = starts
    .flatMap((event) => {
      const [startedAt, endsAt] = [timelineAt(event), plannedEnd(event.metadata)];
      return endsAt === null || startedAt === last?.startedAt ? [] : [{ startedAt, endsAt }];
    })
    .concat(last === null ? [] : [{ startedAt: last.startedAt, endsAt: last.endsAt }])
    .toSorted((one, other) => one.startedAt - other.startedAt);
  return planned.map(({ startedAt, endsAt }, index) => ({
    startedAt,
    endsAt: Math.min(endsAt, planned[index + 1]?.startedAt ?? endsAt),
  }));
}

function plannedEnd(metadata: unknown): Instant | null {
  if (typeof metadata !== "object" || metadata === null || !("ends_at" in metadata)) return null;
  return typeof metadata.ends_at === "string" ? parseInstant(metadata.ends_at) : null;
}
