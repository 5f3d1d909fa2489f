import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { lastAnnouncement, unmonitoredTimes } from "../../core/health/monitoring-transition.ts";
import { placeOfTime, rollupMs } from "../../core/metric/chunk.ts";
import { concatenated } from "../../core/metric/concatenated.ts";
import { onlineWithinMs, type ServerState } from "../../core/server/status.ts";
import { minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectLastSampleTime, selectServerEvents } from "../../store/health/health-queries.ts";
import { transitionsOf } from "../../store/health/monitoring-transitions.ts";
import { readPoints } from "../../store/metric/series-points.ts";

/** Entries of the timeline that are looked at, at most. */
export const mostEvents = 500;

type Times = Pick<HealthFacts, "sampleTimes" | "rolledTo">;

/** The instants of all samples and of the last one before them; a roll-up row stands for one a minute. */
async function readTimes(db: Database, server: string, from: Instant, to: Instant): Promise<Times> {
  const parts: Float64Array[] = [];
  let rolledTo = 0;
  const add = (times: Float64Array, rolled: boolean): void => {
    parts.push(rolled ? Float64Array.from(Array.from(times).flatMap(minutesOf)) : times);
    if (rolled) rolledTo = (times.at(-1) ?? 0) + rollupMs;
  };
  const before = await db.read(selectLastSampleTime, server, from);
  if (before !== null) add(Float64Array.of(before.at), before.rolled);
  for await (const { rolled, times } of readPoints(db, server, from, to, [])) add(times, rolled);
  return { sampleTimes: concatenated(Float64Array, parts), rolledTo };
}

/** The minutes of a roll-up row. */
const minutesOf = (at: Instant): Instant[] =>
  Array.from({ length: rollupMs / minuteMs }, (_, index) => at + index * minuteMs);

/** The timeline around the start of a silence that began before the entries that are read anyway. */
async function eventsOfSilence(
  db: Database,
  server: string,
  { sampleTimes }: Times,
  { from, eventsFrom }: { readonly from: Instant; readonly eventsFrom: Instant },
): Promise<EventRecord[]> {
  const last = sampleTimes[placeOfTime(sampleTimes, from) - 1];
  if (last === undefined || last - rollupMs >= eventsFrom) return [];
  const period = { from: last - rollupMs, to: Math.min(last + rollupMs, eventsFrom - 1) };
  return db.read(selectServerEvents, server, period, mostEvents);
}

/** When a server sent samples in a period, and the entries of its timeline from `eventsFrom` on, newest first. */
export async function readPresence(
  db: Database,
  server: string,
  { from, to, eventsFrom }: { readonly from: Instant; readonly to: Instant; readonly eventsFrom: Instant },
): Promise<Times & Pick<HealthFacts, "events" | "transitions">> {
  const times = await readTimes(db, server, from, to);
  const events = [
    ...(await db.read(selectServerEvents, server, { from: eventsFrom, to }, mostEvents)),
    ...(await eventsOfSilence(db, server, times, { from, eventsFrom })),
  ];
  return { ...times, events, transitions: await db.read(transitionsOf, server, to) };
}

export type FormerState = Pick<HealthFacts, "state" | "stateSince">;

/** The state at the end of a period that is over, as far as samples, announcements and the timeline tell it. */
export function formerState(
  to: Instant,
  times: Float64Array,
  { events, transitions }: Pick<HealthFacts, "events" | "transitions">,
): FormerState {
  const off = unmonitoredTimes(transitions).find((time) => time.from < to && time.to >= to);
  if (off) return { state: "not_monitored", stateSince: off.from };
  const last = times.at(-1) ?? null;
  if (last !== null && to - last <= onlineWithinMs) return { state: "running", stateSince: null };
  const announced = lastAnnouncement(transitions);
  // A sample of the same moment may be a little newer than the announcement.
  if (announced !== null && announced.at >= (last ?? 0) - onlineWithinMs)
    return { state: announced.kind, stateSince: announced.at };
  const stop = events.find(
    ({ type }) => type === "server_stop" || type === "server_crash" || type === "server_start",
  );
  const state: ServerState =
    stop?.type === "server_stop" ? "stopped" : last === null ? "never_seen" : "unreachable";
  return { state, stateSince: stop?.type === "server_stop" ? timelineAt(stop) : last };
}
