import { beginsBefore, findingsOf } from "../../core/health/evaluate.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { HealthSamples } from "../../core/health/health-samples.ts";
import { mostObservedMs } from "../../core/health/memory-growth.ts";
import { earlierEvaluation } from "../../core/health/stored-health.ts";
import {
  coincidesAfterMs,
  coincidesBeforeMs,
  profileMs,
  tracedMs,
  watchedMs,
} from "../../core/health/thresholds.ts";
import type { Instant } from "../../core/time.ts";
import { eventRulesOf } from "../../store/alert/event-rules.ts";
import { rulesOf } from "../../store/alert/alert-rules.ts";
import type { Database } from "../../store/engine/database.ts";
import { baselineOfServer } from "../../store/health/baselines.ts";
import {
  selectFirstSampleTime,
  selectNextSampleTime,
  selectServerEvents,
} from "../../store/health/health-queries.ts";
import { storedHealthOf } from "../../store/health/server-health.ts";
import { selectSender } from "../../store/server/links.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import {
  bootBefore,
  eventsBefore,
  formerProfile,
  isLive,
  newestProfile,
  readAlerts,
  stateAtEnd,
  type HealthRequest,
} from "./fact-parts.ts";
import { keptUsual, replayUsual } from "./follow-slowness.ts";
import { fieldsBefore, readHealthSamples } from "./health-samples.ts";
import { diskLowsOf, heapLowsOf } from "./field-lows.ts";
import { mostEvents, readPresence } from "./read-presence.ts";

/** Adds events around the start of each finding that is older than the events read. */
async function withOlderBeginnings(
  db: Database,
  facts: HealthFacts,
  eventsFrom: Instant,
): Promise<HealthFacts> {
  const events = new Map(facts.events.map((event) => [event.id, event]));
  for (const { since, sinceIsAtLeast } of findingsOf(facts)) {
    if (since === null || sinceIsAtLeast === true || since - coincidesBeforeMs >= eventsFrom) continue;
    const period = {
      from: since - coincidesBeforeMs,
      to: Math.min(since + coincidesAfterMs, eventsFrom - 1),
    };
    const around = await db.read(selectServerEvents, facts.serverId, period, mostEvents);
    for (const event of around) events.set(event.id, event);
  }
  return events.size === facts.events.length ? facts : { ...facts, events: [...events.values()] };
}

/**
 * While a finding began before the samples that were read, adds those of a day, then twice as many, back to
 * the start of the period.
 */
async function traced(db: Database, known: HealthFacts): Promise<HealthFacts> {
  const { serverId, from, to } = known;
  let { samples, samplesFrom } = known;
  for (let reach = tracedMs; ; reach *= 2) {
    const facts = { ...known, samples, samplesFrom };
    const readFrom = Math.max(to - reach, Math.min(from, to - tracedMs));
    if (readFrom >= samplesFrom || !beginsBefore(facts, findingsOf(facts))) return facts;
    samples = HealthSamples.joined([await readHealthSamples(db, serverId, readFrom, samplesFrom), samples]);
    samplesFrom = readFrom;
  }
}

export async function readHealthFacts(db: Database, request: HealthRequest): Promise<HealthFacts> {
  const { server, from, to } = request;
  const { id } = server;
  const regressionSince = (request.regressionSince ?? to) < to ? request.regressionSince : null;
  const { events, eventsFrom, transitions, ...times } = await readPresence(db, id, {
    from,
    to,
    eventsFrom: eventsBefore(request),
  });
  const { sampleTimes } = times;
  const bootAt = bootBefore(server, to);
  const state = stateAtEnd(request, { sampleTimes, events, transitions });
  const rules = [...(await db.read(rulesOf, id)), ...(await db.read(eventRulesOf, id))];
  const samplesFrom = to - watchedMs;
  const seen = isLive(request) ? await db.read(storedHealthOf, id) : null;
  // Until late data is judged, what is stored does not know it.
  const isCurrent = isLive(request) && (seen?.reopenedFrom ?? null) === null;
  const kept = isCurrent ? await db.read(baselineOfServer, id) : null;
  const firstSampleAt = await db.read(selectFirstSampleTime, id);
  const samples = await readHealthSamples(db, id, samplesFrom, to);
  const isSent = samples.has("disk_free_mb");
  const read = await traced(db, {
    serverId: id,
    from,
    to,
    ...state,
    bootAt,
    sender: await db.read(selectSender, id),
    samples,
    samplesFrom,
    ...times,
    transitions,
    nextSampleAt: isLive(request) ? null : await db.read(selectNextSampleTime, id, to),
    firstSampleAt,
    measuredBefore: kept ? new Set(kept.measured) : await fieldsBefore(db, id, to, firstSampleAt),
    events,
    eventsFrom,
    alerts: await readAlerts(db, request),
    enabledRules: rules.filter(({ enabled }) => enabled).length,
    newestProfile: await newestProfile(db, server, to - profileMs, to),
    formerProfile: null,
    heapLows: await heapLowsOf(db, { server: id, bootAt, to }, kept),
    diskLows: await diskLowsOf(db, { server: id, isSent, from: to, to }, kept),
    ...(kept ? keptUsual(kept) : await replayUsual(db, server, to, firstSampleAt)),
    earlier: earlierEvaluation(seen, samplesFrom),
    regressionSince,
    maintenance: await db.read(
      pastWindowsOf,
      id,
      Math.min(from, to - mostObservedMs, regressionSince ?? to),
      to,
    ),
  });
  const facts = await withOlderBeginnings(db, read, eventsFrom);
  return { ...facts, formerProfile: await formerProfile(db, server, facts) };
}
