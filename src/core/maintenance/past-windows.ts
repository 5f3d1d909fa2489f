import { timelineAt, type EventRecord } from "../event/server-event.ts";
import { parseInstant, type Instant } from "../time.ts";
import { maintenanceAt, type ServerMaintenance } from "./server-maintenance.ts";

/** `endsAt` is exclusive. */
export interface PastWindow {
  readonly startedAt: Instant;
  readonly endsAt: Instant;
}

/**
 * The windows of a server that began until `now`, in order of time. The timeline has only planned ends, so a
 * window lasts to its planned end but not into the next one; the end of the last window is exact.
 */
export function pastWindows(
  starts: readonly EventRecord[],
  written: ServerMaintenance,
  now: Instant,
): PastWindow[] {
  const { last, begun } = maintenanceAt(written, now);
  const planned = [
    ...starts.flatMap((event) => {
      const endsAt = plannedEnd(event.metadata);
      return endsAt === null ? [] : [{ startedAt: timelineAt(event), endsAt }];
    }),
    ...begun.map(({ startedAt, endsAt }) => ({ startedAt, endsAt })),
  ]
    // A recurring window that began during the last one is part of it.
    .filter(({ startedAt }) => last === null || !isWithin(startedAt, last))
    .concat(last === null ? [] : [{ startedAt: last.startedAt, endsAt: last.endsAt }])
    .toSorted((one, other) => one.startedAt - other.startedAt);
  return planned.map(({ startedAt, endsAt }, index) => ({
    startedAt,
    endsAt: Math.min(endsAt, planned[index + 1]?.startedAt ?? endsAt),
  }));
}

const isWithin = (at: Instant, { startedAt, endsAt }: PastWindow): boolean =>
  at === startedAt || (at > startedAt && at < endsAt);

function plannedEnd(metadata: unknown): Instant | null {
  if (typeof metadata !== "object" || metadata === null || !("ends_at" in metadata)) return null;
  return typeof metadata.ends_at === "string" ? parseInstant(metadata.ends_at) : null;
}
