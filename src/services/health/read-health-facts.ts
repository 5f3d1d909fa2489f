import type { PlanLimits } from "../../core/access/plan.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { findingsOf, lateTicksSince } from "../../core/health/evaluate.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { heapLowMs, leastObservedMs, mostObservedMs, type HeapLow } from "../../core/health/memory-growth.ts";
import {
  coincidesAfterMs,
  coincidesBeforeMs,
  formerProfileMs,
  profileMs,
  silentMs,
  startingMs,
  tracedMs,
  watchedMs,
} from "../../core/health/thresholds.ts";
import { rollupMs } from "../../core/metric/chunk.ts";
import type { ProfileRecord } from "../../core/profile/records.ts";
import { profileTime } from "../../core/profile/show.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { derivedStatus, onlineWithinMs, type ServerState } from "../../core/server/status.ts";
import { hourMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectAlerts } from "../../store/alert/alerts.ts";
import { rulesOf } from "../../store/alert/alert-rules.ts";
import { eventRulesOf } from "../../store/alert/event-rules.ts";
import { selectHeapLows } from "../../store/health/heap-lows.ts";
import {
  selectFirstSampleTime,
  selectLastSampleTime,
  selectNextSampleTime,
  selectServerEvents,
} from "../../store/health/health-queries.ts";
import { lastAnnouncement, unmonitoredTimes } from "../../core/health/monitoring-transition.ts";
import { transitionsOf } from "../../store/health/monitoring-transitions.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import { readPoints } from "../../store/metric/series-points.ts";
import { selectProfiles } from "../../store/profile/profiles.ts";
import { baselineOfServer } from "../../store/health/baselines.ts";
import { replayUsual, type Usual } from "./follow-slowness.ts";
import { fieldsBefore, readHealthSamples } from "./health-samples.ts";
import { selectSender } from "../../store/server/links.ts";

export interface HealthRequest {
  readonly server: MonitoredServer;
  readonly limits: PlanLimits;
  readonly from: Instant;
  readonly to: Instant;
  readonly now: Instant;
  /** Since when the regression verdict is `regression`; null while it is not. */
  readonly regressionSince: Instant | null;
}

/** Entries of the timeline and alerts that are looked at, at most. */
const mostEvents = 500;
const mostAlerts = 100;

/** The heap is read so much at a time, whole six hours: 1 to 2 ms of the thread on SQLite. */
const heapReadMs = 36 * hourMs;

type Times = Pick<HealthFacts, "sampleTimes" | "rolledTo">;

/** The instants of all samples and of the last one before them; a roll-up row stands for one a minute. */
async function readTimes(db: Database, server: string, from: Instant, to: Instant): Promise<Times> {
  const times: number[] = [];
  let rolledTo = 0;
  const add = (at: Instant, rolled: boolean): void => {
    const end = rolled ? at + rollupMs : at + 1;
    for (let each = at; each < end; each += minuteMs) times.push(each);
    if (rolled) rolledTo = end;
  };
  const before = await db.read(selectLastSampleTime, server, from);
  if (before !== null) add(before.at, before.rolled);
  for await (const { rolled, times: chunk } of readPoints(db, server, from, to, ["tps"]))
    for (const at of chunk) add(at, rolled);
  return { sampleTimes: Float64Array.from(times), rolledTo };
}

/** The timeline around the start of a silence that began before the entries that are read anyway. */
async function eventsOfSilence(
  db: Database,
  server: string,
  { sampleTimes }: Times,
  { from, eventsFrom }: { readonly from: Instant; readonly eventsFrom: Instant },
): Promise<EventRecord[]> {
  const last = sampleTimes.findLast((at) => at < from);
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

const isLive = ({ to, now }: HealthRequest): boolean => now - to < silentMs;

type State = Pick<HealthFacts, "state" | "stateSince">;

/** The state at the end of a period that is over, as far as samples, announcements and the timeline tell it. */
function formerState(
  to: Instant,
  times: Float64Array,
  { events, transitions }: Pick<HealthFacts, "events" | "transitions">,
): State {
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

async function readAlerts(db: Database, request: HealthRequest): Promise<AlertRecord[]> {
  const { server, to } = request;
  const filter = {
    kind: null,
    since: null,
    until: null,
    ruleName: null,
    notified: null,
    serverId: server.id,
  } as const;
  if (isLive(request))
    return db.read(selectAlerts, server.accountId, { ...filter, status: "open" }, null, mostAlerts);
  const former = { ...filter, kind: "threshold", status: null, until: to } as const;
  const alerts = await db.read(selectAlerts, server.accountId, former, null, mostAlerts);
  return alerts.filter(({ resolvedAt }) => resolvedAt === null || resolvedAt > to);
}

/** The newest profile between two instants; of one trigger where it is known, for others are of other moments. */
async function newestProfile(
  db: Database,
  { id, accountId }: MonitoredServer,
  from: Instant,
  to: Instant,
  trigger: string | null = null,
): Promise<ProfileRecord | null> {
  const filter = { serverId: id, trigger, owner: null, from, to };
  const [newest] = await db.read(selectProfiles, accountId, filter, null, 1);
  return newest ?? null;
}

/** The profile before the ticks became late, where the newest one is of the time since. */
async function formerProfile(
  db: Database,
  server: MonitoredServer,
  facts: HealthFacts,
): Promise<ProfileRecord | null> {
  const { newestProfile: newest } = facts;
  const since = lateTicksSince(findingsOf(facts));
  if (since === null || newest === null || profileTime(newest) < since) return null;
  return newestProfile(db, server, since - formerProfileMs, since, newest.summary.trigger);
}

/** The heap in steps of six hours, once the boot is old enough to be judged by it. */
async function heapLowsOf(
  db: Database,
  server: string,
  bootAt: Instant | null,
  to: Instant,
): Promise<HealthFacts["heapLows"]> {
  if (bootAt === null || to - bootAt < leastObservedMs) return [];
  const lows: HeapLow[] = [];
  const first = Math.max(bootAt + startingMs, to - mostObservedMs);
  for (let from = Math.ceil(first / heapLowMs) * heapLowMs; from < to; from += heapReadMs)
    lows.push(...(await db.read(selectHeapLows, server, from, Math.min(to, from + heapReadMs))));
  return lows;
}

/** The facts with the samples of a day, where a finding held as far back as the three hours that were read. */
async function traced(db: Database, facts: HealthFacts): Promise<HealthFacts> {
  if (!findingsOf(facts).some(({ sinceIsAtLeast }) => sinceIsAtLeast === true)) return facts;
  const samplesFrom = facts.to - tracedMs;
  const earlier = await readHealthSamples(db, facts.serverId, samplesFrom, facts.samplesFrom);
  return { ...facts, samples: [...earlier, ...facts.samples], samplesFrom };
}

/** What is usual is kept for servers that send; of the past, and before the first turn of that job, it is worked out. */
async function usualOf(db: Database, request: HealthRequest): Promise<Usual> {
  const stored = isLive(request) ? await db.read(baselineOfServer, request.server.id) : null;
  if (stored === null) return await replayUsual(db, request.server, request.to);
  const { baseline, slowState, counts } = stored;
  return { usual: { baseline, slowness: slowState?.open ?? null }, countBaselines: counts };
}

/**
 * The facts with the timeline around the beginnings of a slowdown and of a regression of the benchmarks, where these
 * are older than the entries that were read.
 */
async function withOlderBeginnings(
  db: Database,
  facts: HealthFacts,
  eventsFrom: Instant,
): Promise<HealthFacts> {
  const events = new Map(facts.events.map((event) => [event.id, event]));
  for (const since of [facts.usual.slowness?.since ?? null, facts.regressionSince]) {
    if (since === null || since - coincidesBeforeMs >= eventsFrom) continue;
    const period = {
      from: since - coincidesBeforeMs,
      to: Math.min(since + coincidesAfterMs, eventsFrom - 1),
    };
    const around = await db.read(selectServerEvents, facts.serverId, period, mostEvents);
    for (const event of around) events.set(event.id, event);
  }
  return events.size === facts.events.length ? facts : { ...facts, events: [...events.values()] };
}

/** Reads everything that the health of one server is worked out from; between two reads others get their turn. */
export async function readHealthFacts(db: Database, request: HealthRequest): Promise<HealthFacts> {
  const { server, limits, from, to, now } = request;
  const { id } = server;
  const regressionSince = (request.regressionSince ?? to) < to ? request.regressionSince : null;
  const eventsFrom = Math.min(from, to - tracedMs) - coincidesBeforeMs;
  const { events, transitions, ...times } = await readPresence(db, id, { from, to, eventsFrom });
  const { sampleTimes } = times;
  const derived = derivedStatus(server, limits, now);
  const state: State = isLive(request)
    ? { state: derived.state, stateSince: derived.since }
    : formerState(to, sampleTimes, { events, transitions });
  const rules = [...(await db.read(rulesOf, id)), ...(await db.read(eventRulesOf, id))];
  const bootAt = server.bootTimestamp !== null && server.bootTimestamp <= to ? server.bootTimestamp : null;
  const samplesFrom = to - watchedMs;
  const read = await traced(db, {
    serverId: id,
    from,
    to,
    ...state,
    bootAt,
    sender: await db.read(selectSender, id),
    samples: await readHealthSamples(db, id, samplesFrom, to),
    samplesFrom,
    ...times,
    transitions,
    nextSampleAt: isLive(request) ? null : await db.read(selectNextSampleTime, id, to),
    firstSampleAt: await db.read(selectFirstSampleTime, id),
    measuredBefore: await fieldsBefore(db, id, to),
    events,
    alerts: await readAlerts(db, request),
    enabledRules: rules.filter(({ enabled }) => enabled).length,
    newestProfile: await newestProfile(db, server, to - profileMs, to),
    formerProfile: null,
    heapLows: await heapLowsOf(db, id, bootAt, to),
    ...(await usualOf(db, request)),
    regressionSince,
    maintenance: await db.read(pastWindowsOf, id, Math.min(from, to - mostObservedMs, regressionSince ?? to)),
  });
  const facts = await withOlderBeginnings(db, read, eventsFrom);
  return { ...facts, formerProfile: await formerProfile(db, server, facts) };
}
