import type { PlanLimits } from "../../core/access/plan.ts";
import { beginsBefore, findingsOf, raisesOthers } from "../../core/health/evaluate.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import { HealthSamples } from "../../core/health/health-samples.ts";
import type { FoundProblem } from "../../core/health/rules/rule.ts";
import { mostObservedMs } from "../../core/health/memory-growth.ts";
import { earlierEvaluation } from "../../core/health/stored-health.ts";
import { earlierEventsMs, profileMs, tracedMs, watchedMs } from "../../core/health/thresholds.ts";
import { judgedState } from "../../core/health/unclean-end.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { derivedStatus } from "../../core/server/status.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectLastSampleTime } from "../../store/health/health-queries.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import { formerProfile, newestProfile, readAlerts } from "./fact-parts.ts";
import { keptUsual, replayUsual } from "./follow-slowness.ts";
import { fieldsBefore, readHealthSamples } from "./health-samples.ts";
import { diskLowsOf, heapLowsOf } from "./field-lows.ts";
import { readEvents } from "./read-presence.ts";
import type { ReadTogether } from "./read-together.ts";

export interface VerdictRequest extends ReadTogether {
  readonly limits: PlanLimits;
  readonly now: Instant;
  readonly regressionSince: Instant | null;
  /** State of the ticks after the newest bucket, if it is not stored yet. */
  readonly slowState?: LevelState | null | undefined;
}

interface JudgedFacts {
  readonly facts: HealthFacts;
  readonly findings: readonly FoundProblem[];
}

/** A verdict needs only the newest sample time of the day. */
async function timesOf(db: Database, id: string, to: Instant, samples: HealthSamples) {
  const last = samples.newestAt ?? (await db.read(selectLastSampleTime, id, to));
  return Float64Array.from(last === null ? [] : [last]);
}

/**
 * The facts that decide verdict, reasons and headline now, equal to those of `readHealthFacts` for the last
 * 24 hours. Facts that only the full answer shows (availability, hints) stay empty; next steps of serious
 * findings differ only in the profiles they name. A finding's start comes from the stored evaluation, which
 * saves reading a day of samples.
 */
export async function readVerdictFacts(db: Database, request: VerdictRequest): Promise<JudgedFacts> {
  const { server, limits, now, regressionSince, stored, kept, present, slowState } = request;
  const { firstSampleAt } = present;
  const { id } = server;
  const period = { from: now - dayMs, to: now };
  const derived = derivedStatus(server, limits, now);
  const bootAt = server.bootTimestamp !== null && server.bootTimestamp <= now ? server.bootTimestamp : null;
  const samplesFrom = now - watchedMs;
  const eventsFrom = period.from - earlierEventsMs;
  const samples = await readHealthSamples(db, id, samplesFrom, now);
  const read = present.hasEntry
    ? await readEvents(db, id, { from: eventsFrom, to: now })
    : { events: [], eventsFrom };
  const state = judgedState({ state: derived.state, stateSince: derived.since }, read.events, {
    at: server.lastHeartbeat,
    bootAt,
  });
  const current = kept !== null && slowState !== undefined ? { ...kept, slowState } : kept;
  const facts: HealthFacts = {
    serverId: id,
    ...period,
    ...state,
    bootAt,
    sender: "agent",
    samples,
    samplesFrom,
    sampleTimes: await timesOf(db, id, now, samples),
    transitions: [],
    nextSampleAt: null,
    firstSampleAt,
    measuredBefore: kept ? new Set(kept.measured) : await fieldsBefore(db, id, now, firstSampleAt),
    ...read,
    alerts: present.hasOpenAlert ? await readAlerts(db, { ...request, ...period }) : [],
    enabledRules: 1,
    newestProfile: null,
    formerProfile: null,
    heapLows: await heapLowsOf(db, { server: id, bootAt, to: now }, kept),
    diskLows: await diskLowsOf(
      db,
      { server: id, isSent: samples.has("disk_free_mb"), from: now, to: now },
      kept,
    ),
    ...(current ? keptUsual(current) : await replayUsual(db, server, now, firstSampleAt)),
    earlier: earlierEvaluation(stored, samplesFrom),
    regressionSince,
    maintenance: present.hasWindow ? await db.read(pastWindowsOf, id, now - mostObservedMs, now) : [],
  };
  return await withProfiles(db, request, await begunBefore(db, judged(facts)));
}

const judged = (facts: HealthFacts): JudgedFacts => ({ facts, findings: findingsOf(facts) });

/** Profiles matter only while ticks are late or the server is down. */
async function withProfiles(
  db: Database,
  { server, now, present }: VerdictRequest,
  known: JudgedFacts,
): Promise<JudgedFacts> {
  if (!present.hasProfile || !raisesOthers(known.findings)) return known;
  const newest = await newestProfile(db, server, now - profileMs, now);
  if (newest === null) return known;
  const late = { ...known.facts, newestProfile: newest };
  return judged({ ...late, formerProfile: await formerProfile(db, server, late) });
}

/** Adds the samples of a day if the leading finding began before those read and its start is unknown. */
async function begunBefore(db: Database, known: JudgedFacts): Promise<JudgedFacts> {
  const { facts, findings } = known;
  const leading = findings.filter(({ severity }) => severity !== "info").slice(0, 1);
  if (!beginsBefore(facts, leading)) return known;
  const samplesFrom = facts.to - tracedMs;
  const earlier = await readHealthSamples(db, facts.serverId, samplesFrom, facts.samplesFrom);
  return judged({ ...facts, samples: HealthSamples.joined([earlier, facts.samples]), samplesFrom });
}
