import { healthChanged, timelineVerdict } from "../../core/event/own-event.ts";
import { ownSource, timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import type { HealthFacts, UsualTicks } from "../../core/health/facts.ts";
import {
  afterCourse,
  healthCourse,
  type CourseStart,
  type JudgedAgain,
  type VerdictChange,
} from "../../core/health/health-course.ts";
import { mostObservedMs } from "../../core/health/memory-growth.ts";
import type { StoredHealth } from "../../core/health/stored-health.ts";
import { earlierEventsMs, tracedMs } from "../../core/health/thresholds.ts";
import { bucketMs, bucketStart } from "../../core/metric/chunk.ts";
import { pacer } from "../../core/turns.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { newId } from "../../store/engine/ids.ts";
import { selectEvents } from "../../store/event/timeline.ts";
import { selectFirstSampleTime } from "../../store/health/health-queries.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import { alertsOfStretch, type HealthRequest } from "./fact-parts.ts";
import { readHealthSamples } from "./health-samples.ts";
import { diskLowsOf, heapLowsOf } from "./field-lows.ts";
import { readPresence } from "./read-presence.ts";
import type { ReadTogether } from "./read-together.ts";
import { readReplay } from "./read-replay.ts";

/** Verdicts of more than this are not written anew: the slowdowns of older days are in no baseline, ms. */
const mostAgainMs = 14 * dayMs;

/** Entries of the stretch that are read, the newest. */
const mostEntries = 500;

/** Entries at most this far apart say the same: a verdict is named when a bucket of five minutes closes, ms. */
const sameEntryMs = 3 * bucketMs;

type Request = Pick<HealthRequest, "regressionSince"> & Pick<ReadTogether, "server" | "kept">;

/** Verdicts that the timeline named from a day before `from` on, oldest first. */
async function namedVerdicts(db: Database, server: string, from: Instant): Promise<EventRecord[]> {
  const filter = {
    from: from - mostAgainMs,
    to: null,
    category: null,
    severity: null,
    source: ownSource,
    type: "health_changed",
  };
  return (await db.read(selectEvents, server, filter, null, mostEntries)).toReversed();
}

/** What was known before `from`: the entry before it, and the beginnings that are older. */
function startOf(stored: StoredHealth, entries: readonly EventRecord[], from: Instant): CourseStart {
  const before = entries.findLast((entry) => timelineAt(entry) < from);
  const named = before && timelineVerdict(before);
  const first = entries.find((entry) => timelineAt(entry) >= from);
  const beginnings = Object.fromEntries(
    Object.entries(stored.beginnings).filter(([, since]) => since < from),
  );
  const isOlder = stored.verdictFrom < from;
  const verdict = isOlder ? stored.verdict : (named?.to ?? (first && timelineVerdict(first)?.from) ?? null);
  const since = isOlder ? stored.since : (named?.since ?? null);
  return {
    earlier: verdict === null ? null : { verdict, since: (since ?? from) < from ? since : null, beginnings },
    announced: named?.to ?? (first ? (timelineVerdict(first)?.from ?? null) : stored.announced),
  };
}

/** The facts of a stretch and of the day before it. */
async function factsOfStretch(
  db: Database,
  { server, kept, regressionSince }: Request,
  from: Instant,
  to: Instant,
): Promise<HealthFacts> {
  const { id } = server;
  const earliest = from - tracedMs;
  const { sampleTimes, events, eventsFrom, transitions } = await readPresence(db, id, {
    from: earliest,
    to,
    eventsFrom: earliest - earlierEventsMs,
  });
  const samples = await readHealthSamples(db, id, earliest, to);
  const isSent = samples.has("disk_free_mb");
  return {
    serverId: id,
    from,
    to,
    state: "running",
    stateSince: null,
    bootAt: server.bootTimestamp,
    sender: "agent",
    samples,
    samplesFrom: earliest,
    sampleTimes,
    transitions,
    nextSampleAt: null,
    firstSampleAt: await db.read(selectFirstSampleTime, id),
    measuredBefore: new Set(kept?.measured ?? []),
    events,
    eventsFrom,
    alerts: await alertsOfStretch(db, server, from, to),
    enabledRules: 1,
    newestProfile: null,
    formerProfile: null,
    heapLows: await heapLowsOf(db, { server: id, bootAt: from - mostObservedMs, to }, null),
    diskLows: await diskLowsOf(db, { server: id, isSent, from, to }, null),
    usual: { baseline: null, slowness: null, past: [] },
    earlier: null,
    countBaselines: kept?.counts ?? {},
    regressionSince,
    maintenance: await db.read(pastWindowsOf, id, earliest - mostObservedMs, to),
  };
}

/** Follows the ticks through the stretch, and says at each time what was usual. */
async function usualTicks(
  db: Database,
  { server, kept }: Request,
  from: Instant,
  to: Instant,
): Promise<(at: Instant) => UsualTicks> {
  const known = kept?.checkpoint && kept.checkpoint.at <= from ? kept.checkpoint : null;
  const firstSampleAt = await db.read(selectFirstSampleTime, server.id);
  const { replay } = await readReplay(db, server, { known, from, to, firstSampleAt });
  return (at) => {
    Array.from(replay.advance(at));
    return replay.usual;
  };
}

const says = (entry: EventRecord, { at, evaluation }: VerdictChange): boolean =>
  timelineVerdict(entry)?.to === evaluation.verdict && Math.abs(timelineAt(entry) - at) <= sameEntryMs;

/**
 * Judges a server again from `from` to `closed`, with all data that arrived since: what it says is what would have
 * been said in time. Null for a stretch without a closed bucket.
 */
export async function judgeAgain(
  db: Database,
  request: Request & Pick<ReadTogether, "stored">,
  {
    from: reopenedFrom,
    closed,
    now,
  }: { readonly from: Instant; readonly closed: Instant; readonly now: Instant },
): Promise<JudgedAgain | null> {
  const { stored, server } = request;
  if (stored === null) return null;
  const from = Math.max(bucketStart(reopenedFrom), closed - mostAgainMs);
  const times = Array.from(
    { length: (closed - from) / bucketMs },
    (_, place) => from + (place + 1) * bucketMs,
  );
  const all = await namedVerdicts(db, server.id, from);
  const entries = all.filter((entry) => timelineVerdict(entry)?.revisedAt === null);
  const usualAt = await usualTicks(db, request, from, closed);
  const whole = await factsOfStretch(db, request, from, closed);
  const steps = healthCourse(whole, times, usualAt, startOf(stored, entries, from));
  const pause = pacer();
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await pause();
  const course = step.value;
  if (course === null) return null;
  const named = entries.filter((entry) => timelineAt(entry) >= from);
  return {
    stored: afterCourse(stored, course, closed),
    revised: named.filter((entry) => !course.changes.some((change) => says(entry, change))),
    added: course.changes
      .filter((change) => !named.some((entry) => says(entry, change)))
      .map(({ at, from: before, evaluation }) =>
        Object.assign(healthChanged({ id: newId(now), serverId: server.id, now: at }, before, evaluation), {
          receivedAt: now,
        }),
      ),
  };
}
