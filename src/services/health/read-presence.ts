import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { placeOfTime, bucketMs } from "../../core/metric/chunk.ts";
import { concatenated } from "../../core/metric/concatenated.ts";
import type { Instant } from "../../core/time.ts";
import type { DatabaseReader } from "../../store/engine/database.ts";
import { selectLastSampleTime, selectServerEvents } from "../../store/health/health-queries.ts";
import { transitionsOf } from "../../store/health/monitoring-transitions.ts";
import { readPoints } from "../../store/metric/series-points.ts";

export const mostEvents = 500;

/** The times of all samples, and of the last one before `from`. */
async function readTimes(
  db: DatabaseReader,
  server: string,
  from: Instant,
  to: Instant,
): Promise<Float64Array> {
  const before = await db.read(selectLastSampleTime, server, from);
  const parts: Float64Array[] = before === null ? [] : [Float64Array.of(before)];
  for await (const { times } of readPoints(db, server, from, to, [])) parts.push(times);
  return concatenated(Float64Array, parts);
}

/** Events around the start of a silence, if that is older than the events read anyway. */
export async function eventsOfSilence(
  db: DatabaseReader,
  server: string,
  sampleTimes: Float64Array,
  { from, eventsFrom }: { readonly from: Instant; readonly eventsFrom: Instant },
): Promise<EventRecord[]> {
  const last = sampleTimes[placeOfTime(sampleTimes, from) - 1];
  if (last === undefined || last - bucketMs >= eventsFrom) return [];
  const period = { from: last - bucketMs, to: Math.min(last + bucketMs, eventsFrom - 1) };
  return db.read(selectServerEvents, server, period, mostEvents);
}

/** Sample times of a period, and timeline entries since `eventsFrom`, newest first. */
export async function readPresence(
  db: DatabaseReader,
  server: string,
  { from, to, eventsFrom }: { readonly from: Instant; readonly to: Instant; readonly eventsFrom: Instant },
): Promise<Pick<HealthFacts, "sampleTimes" | "events" | "eventsFrom" | "transitions">> {
  const sampleTimes = await readTimes(db, server, from, to);
  const read = await readEvents(db, server, { from: eventsFrom, to });
  const ofSilence = await eventsOfSilence(db, server, sampleTimes, { from, eventsFrom: read.eventsFrom });
  return {
    sampleTimes,
    events: [...read.events, ...ofSilence],
    eventsFrom: read.eventsFrom,
    transitions: await db.read(transitionsOf, server, to),
  };
}

/** The newest entries of a period, newest first; if there are more, `eventsFrom` is the oldest of these. */
export async function readEvents(
  db: DatabaseReader,
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Pick<HealthFacts, "events" | "eventsFrom">> {
  return readableEvents(await db.read(selectServerEvents, server, { from, to }, mostEvents), from);
}

/** As many entries as are read of one server, of those since `from`. */
export function readableEvents(
  found: readonly EventRecord[],
  from: Instant,
): Pick<HealthFacts, "events" | "eventsFrom"> {
  const events = found.slice(0, mostEvents);
  const oldest = events.length < mostEvents ? undefined : events.at(-1);
  return { events, eventsFrom: oldest === undefined ? from : timelineAt(oldest) };
}
