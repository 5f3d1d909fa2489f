import { revokedCredential } from "../../core/errors.ts";
import { ownReachMs } from "../../core/metric/imported.ts";
import { sealedBefore } from "../../core/metric/block/merge-segments.ts";
import { isNewestHeartbeat, pausedFrom, staysShown } from "../../core/metric/newest-sample.ts";
import { sampleOf } from "../../core/metric/reported-sample.ts";
import type { HeartbeatWrite, SampleWrite } from "../../core/server/records.ts";
import { unresponsiveFromMs } from "../../core/server/status.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import { evaluateServer } from "../alert/evaluate-server.ts";
import { type Work, one } from "../../store/engine/database.ts";
import { judgeAgainFrom } from "../health/late-data.ts";
import { sendSample } from "../../store/metric/samples.ts";
import { addTransition } from "../../store/health/monitoring-transitions.ts";
import {
  holdLastReport,
  saveReport,
  type LastReport,
  type ShownSample,
} from "../../store/metric/heartbeats.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { addSamples, replaceImported } from "./add-samples.ts";

const staysNewest = (
  { sampled_at, sample_received_at }: LastReport,
  sampledAt: Instant,
  receivedAt: Instant,
): boolean =>
  sampled_at !== null &&
  sample_received_at !== null &&
  staysShown({ sampledAt: sampled_at, receivedAt: sample_received_at }, { sampledAt, receivedAt });

/** Whether no block and no load day can exist yet for this time. */
const isOfNow = (sampledAt: Instant, now: Instant): boolean =>
  sampledAt >= sealedBefore(now) && utcDay(sampledAt) >= utcDay(now);

/** Imported samples lie in gaps of the own ones, so a heartbeat that follows in time has none near. */
const mayBeImportedNear = (sampledAt: Instant, { sampled_at }: LastReport): boolean =>
  sampled_at === null || sampledAt < sampled_at || sampledAt - sampled_at > ownReachMs;

/** Stores a sample; returns it if it is now the one to show, null if a newer one stays. */
function* storeNewest(
  serverId: string,
  { sampledAt, reported }: SampleWrite,
  last: LastReport,
  receivedAt: number,
): Work<ShownSample | null> {
  const sample = sampleOf(reported);
  const received = { sampledAt, sample, receivedAt };
  if (mayBeImportedNear(sampledAt, last)) yield* replaceImported(serverId, [sampledAt]);
  if (isOfNow(sampledAt, receivedAt)) {
    yield* sendSample(serverId, received);
    yield* judgeAgainFrom(serverId, [sampledAt], receivedAt);
  } else yield* addSamples(serverId, [received], receivedAt);
  if (staysNewest(last, sampledAt, receivedAt)) return null;
  const pausedSince =
    sample.paused_empty === true ? pausedFrom(reported.paused_since, last.paused_since, sampledAt) : null;
  return { sampledAt, sample, pausedSince };
}

/** Records an announced silence now, because a later heartbeat clears the announcement. */
function* recordAnnouncement({ serverId, announcement }: HeartbeatWrite, last: LastReport): Work<void> {
  if (announcement === null || last.announcement === announcement.kind) return;
  yield* addTransition(serverId, announcement.at, announcement.kind);
}

const isHung = (tickAgeMs: number | null): boolean => tickAgeMs !== null && tickAgeMs >= unresponsiveFromMs;

/** Whether the newest evaluation says something else than the state after this heartbeat, or there is none. */
function changesState(
  { announcement, lastTickAgeMs }: HeartbeatWrite,
  shown: ShownSample | null,
  last: LastReport,
): boolean {
  const { verdict } = last;
  if (verdict === null || (shown !== null && last.sampled_at === null)) return true;
  if (announcement !== null) return verdict !== "stopped";
  const isPaused = (shown === null ? last.paused_since : shown.pausedSince) !== null;
  if (isHung(lastTickAgeMs) && !isPaused) return verdict !== "down" || !isHung(last.last_tick_age_ms);
  return verdict === "down" || verdict === "stopped";
}

/** Returns whether the server's health has to be evaluated at once: its state changed, or one of its alerts. */
export function* recordHeartbeat(heartbeat: HeartbeatWrite): Work<boolean> {
  const { serverId, receivedAt, sample, limits } = heartbeat;
  const last = yield* one(holdLastReport, { id: serverId });
  // The server may have been unlinked since its credential was checked.
  if (last === null || last.account_id === null) throw revokedCredential();
  yield* recordAnnouncement(heartbeat, last);
  // A late heartbeat must not overwrite newer facts.
  const said = isNewestHeartbeat(last.last_heartbeat, receivedAt) ? heartbeat : null;
  const shown = sample && (yield* storeNewest(serverId, sample, last, receivedAt));
  yield* saveReport(serverId, said, shown, receivedAt);
  const isChanged = said !== null && changesState(said, shown, last);
  // A late heartbeat without a newer sample is not evaluated: the newer heartbeat was.
  if (!last.has_rules || (said === null && shown === null)) return isChanged;
  const measured = shown && { at: shown.sampledAt, previousAt: last.sampled_at, sample: shown.sample };
  return (yield* evaluateServer(serverId, () => limits, receivedAt, measured)) || isChanged;
}

/** Returns how many samples are new. */
export function* storeLateSamples(
  serverId: string,
  samples: readonly SampleWrite[],
  now: number,
): Work<number> {
  yield* requireLinked(serverId);
  // In time order, so that two overlapping batches cannot deadlock.
  const inOrder = samples.toSorted((a, b) => a.sampledAt - b.sampledAt);
  const received = inOrder.map(({ sampledAt, reported }) => ({
    sampledAt,
    sample: sampleOf(reported),
    receivedAt: now,
  }));
  yield* replaceImported(
    serverId,
    received.map(({ sampledAt }) => sampledAt),
  );
  return yield* addSamples(serverId, received, now);
}
