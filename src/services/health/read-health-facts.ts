import type { PlanLimits } from "../../core/access/plan.ts";
import type { AlertRecord } from "../../core/alert/alert.ts";
import { timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import {
  healthFields,
  type HealthFacts,
  type HealthField,
  type HealthSample,
} from "../../core/health/facts.ts";
import { profileMs, silentMs, watchedMs } from "../../core/health/thresholds.ts";
import { rollupMs, type SeriesChunk } from "../../core/metric/chunk.ts";
import type { ProfileRecord } from "../../core/profile/records.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { derivedStatus, onlineWithinMs, type ServerState } from "../../core/server/status.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectAlerts } from "../../store/alert/alerts.ts";
import { rulesOf } from "../../store/alert/alert-rules.ts";
import { eventRulesOf } from "../../store/alert/event-rules.ts";
import { selectFirstSampleTime, selectServerEvents } from "../../store/health/health-queries.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import { readPoints } from "../../store/metric/series-points.ts";
import { selectProfiles } from "../../store/profile/profiles.ts";
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

/** Days before the last one in which a field counts as measured before, and how long a look into each is. */
const daysBefore = 7;
const lookMs = 5 * minuteMs;

function* samplesIn({ times, columns }: SeriesChunk): Generator<HealthSample> {
  for (const [index, at] of times.entries()) {
    const sample: Record<string, number | null> = { at };
    for (const [place, field] of healthFields.entries()) {
      const value = columns[place]?.sum[index] ?? Number.NaN;
      sample[field] = Number.isNaN(value) ? null : value;
    }
    // Sound: every field of the list was set just now.
    yield sample as unknown as HealthSample;
  }
}

async function readSamples(
  db: Database,
  server: string,
  from: Instant,
  to: Instant,
): Promise<HealthSample[]> {
  const samples: HealthSample[] = [];
  for await (const chunk of readPoints(db, server, from, to, healthFields))
    if (!chunk.rolled) samples.push(...samplesIn(chunk));
  return samples;
}

/** The instants of all samples; a roll-up row stands for one a minute. */
async function readTimes(db: Database, server: string, from: Instant, to: Instant): Promise<Float64Array> {
  const times: number[] = [];
  for await (const { rolled, times: chunk } of readPoints(db, server, from, to, ["tps"]))
    for (const at of chunk)
      for (let each = at; each < (rolled ? at + rollupMs : at + 1); each += minuteMs) times.push(each);
  return Float64Array.from(times);
}

/** The fields that five minutes of one of the days before the last one have, at the same time of day. */
async function fieldsBefore(db: Database, server: string, to: Instant): Promise<Set<HealthField>> {
  const fields = new Set<HealthField>();
  for (let days = 1; days <= daysBefore; days += 1) {
    const end = to - days * dayMs;
    for (const sample of await readSamples(db, server, end - lookMs, end))
      for (const field of healthFields) if (sample[field] !== null) fields.add(field);
  }
  return fields;
}

const isLive = ({ to, now }: HealthRequest): boolean => now - to < silentMs;

type State = Pick<HealthFacts, "state" | "stateSince">;

/** The state at the end of a period that is over, as far as samples and the timeline tell it. */
function formerState(to: Instant, times: Float64Array, events: readonly EventRecord[]): State {
  const last = times.at(-1) ?? null;
  if (last !== null && to - last <= onlineWithinMs) return { state: "running", stateSince: null };
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

const heaviestPlugin = ({ summary }: ProfileRecord): number | null =>
  summary.owners
    .filter(({ plugin }) => plugin)
    .reduce<number | null>(
      (most, { self_pct }) => (self_pct === null ? most : Math.max(most ?? 0, self_pct)),
      null,
    );

async function newestProfile(db: Database, { server, to }: HealthRequest): Promise<HealthFacts["profile"]> {
  const filter = { serverId: server.id, trigger: null, owner: null, from: to - profileMs, to };
  const [newest] = await db.read(selectProfiles, server.accountId, filter, null, 1);
  return newest
    ? { capturedAt: newest.capturedAt ?? newest.uploadedAt, heaviestPlugin: heaviestPlugin(newest) }
    : null;
}

/** Reads everything that the health of one server is worked out from; between two reads others get their turn. */
export async function readHealthFacts(db: Database, request: HealthRequest): Promise<HealthFacts> {
  const { server, limits, from, to, now, regressionSince } = request;
  const { id } = server;
  const sampleTimes = await readTimes(db, id, from, to);
  const events = await db.read(selectServerEvents, id, { from, to }, mostEvents);
  const derived = derivedStatus(server, limits, now);
  const state: State = isLive(request)
    ? { state: derived.state, stateSince: derived.since }
    : formerState(to, sampleTimes, events);
  const rules = [...(await db.read(rulesOf, id)), ...(await db.read(eventRulesOf, id))];
  return {
    serverId: id,
    from,
    to,
    ...state,
    bootAt: server.bootTimestamp !== null && server.bootTimestamp <= to ? server.bootTimestamp : null,
    sender: await db.read(selectSender, id),
    samples: await readSamples(db, id, to - watchedMs, to),
    sampleTimes,
    firstSampleAt: await db.read(selectFirstSampleTime, id),
    measuredBefore: await fieldsBefore(db, id, to),
    events,
    alerts: await readAlerts(db, request),
    enabledRules: rules.filter(({ enabled }) => enabled).length,
    profile: await newestProfile(db, request),
    regressionSince,
    maintenance: await db.read(pastWindowsOf, id, Math.min(from, to - watchedMs)),
  };
}
