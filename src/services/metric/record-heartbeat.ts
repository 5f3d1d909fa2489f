import { sealedBefore } from "../../core/metric/block/merge-segments.ts";
import { pausedFrom, staysShown } from "../../core/metric/newest-sample.ts";
import { sampleOf } from "../../core/metric/reported-sample.ts";
import type { HeartbeatWrite, SampleWrite } from "../../core/server/records.ts";
import { evaluateServer, type NewSample } from "../alert/evaluate-server.ts";
import type { Result, Step } from "../../store/engine/database.ts";
import { forgetLoadDays } from "../health/forget-load-days.ts";
import {
  insertSamples,
  shownSample,
  showSample,
  type ReceivedSample,
  type ShownSample,
} from "../../store/metric/samples.ts";
import { addTransition, announcedSilenceOf } from "../../store/health/monitoring-transitions.ts";
import { selectSealedTimes } from "../../store/metric/blocks.ts";
import { writeHeartbeat } from "../../store/metric/heartbeats.ts";
import { requireLinked } from "../../store/server/locks.ts";

function isOlder({ sampled_at, sample_received_at }: ShownSample, sampledAt: number, receivedAt: number) {
  if (sampled_at === null || sample_received_at === null) return false;
  return staysShown({ sampledAt: sampled_at, receivedAt: sample_received_at }, { sampledAt, receivedAt });
}

/** Inserts samples, from which days that were kept are read again; answers how many samples are new. */
function* addSamples(
  serverId: string,
  samples: readonly ReceivedSample[],
  now: number,
): Generator<Step, number, Result> {
  const known = yield* selectSealedTimes(
    serverId,
    samples.map(({ sampledAt }) => sampledAt).filter((at) => at < sealedBefore(now)),
  );
  const unknown = samples.filter(({ sampledAt }) => !known.has(sampledAt));
  const added = yield* insertSamples(serverId, unknown);
  const times = unknown.map(({ sampledAt }) => sampledAt);
  if (added > 0) yield* forgetLoadDays(serverId, times, now);
  return added;
}

/** Stores a sample; answers it where it is now the one shown, null where a newer one stays. */
function* storeNewest(
  serverId: string,
  { sampledAt, reported }: SampleWrite,
  receivedAt: number,
): Generator<Step, NewSample | null, Result> {
  const sample = sampleOf(reported);
  const shown = yield* shownSample(serverId);
  yield* addSamples(serverId, [{ sampledAt, sample, receivedAt }], receivedAt);
  if (!shown || isOlder(shown, sampledAt, receivedAt)) return null;
  const paused =
    sample.paused_empty === true ? pausedFrom(reported.paused_since, shown.paused_since, sampledAt) : null;
  yield* showSample(serverId, { sampledAt, sample }, paused, receivedAt);
  return { at: sampledAt, previousAt: shown.sampled_at, sample };
}

/** Keeps when a silence was announced, for a later heartbeat takes the announcement back. */
function* recordAnnouncement({ serverId, announcement }: HeartbeatWrite): Generator<Step, void, Result> {
  if (announcement === null || (yield* announcedSilenceOf(serverId)) === announcement.kind) return;
  yield* addTransition(serverId, announcement.at, announcement.kind);
}

/** Writes a heartbeat with its sample, and evaluates the server's alert rules. */
export function* recordHeartbeat(heartbeat: HeartbeatWrite): Generator<Step, void, Result> {
  const { serverId, receivedAt, sample, limits } = heartbeat;
  yield* requireLinked(serverId);
  yield* recordAnnouncement(heartbeat);
  const isNewest = yield* writeHeartbeat(heartbeat);
  const measured = sample && (yield* storeNewest(serverId, sample, receivedAt));
  // A late heartbeat without a newer sample is not evaluated: the newer heartbeat was.
  if (isNewest || measured !== null) yield* evaluateServer(serverId, () => limits, receivedAt, measured);
}

/** Stores samples that a plugin kept while it could not send them; answers how many are new. */
export function* storeLateSamples(
  serverId: string,
  samples: readonly SampleWrite[],
  now: number,
): Generator<Step, number, Result> {
  yield* requireLinked(serverId);
  // In order of time, so that two batches that overlap never wait for each other in a circle.
  const inOrder = samples.toSorted((a, b) => a.sampledAt - b.sampledAt);
  const received = inOrder.map(({ sampledAt, reported }) => ({
    sampledAt,
    sample: sampleOf(reported),
    receivedAt: now,
  }));
  return yield* addSamples(serverId, received, now);
}
