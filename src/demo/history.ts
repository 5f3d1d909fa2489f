import { setImmediate } from "node:timers/promises";
import { windowMs, type SealedPoints } from "../core/metric/block/merge-segments.ts";
import { fieldColumn } from "../core/metric/block/segment.ts";
import { seriesFields, type SeriesField } from "../core/metric/fields.ts";
import { settlePause, type Sample } from "../core/metric/sample.ts";
import { dayMs, hourMs, minuteMs, secondMs, type Instant } from "../core/time.ts";
import type { SampleBody } from "../outbound/plugin-client.ts";
import { addToBlock } from "../services/metric/seal-samples.ts";
import type { Database } from "../store/engine/database.ts";
import { insertSamples } from "../store/metric/samples.ts";
import { chance } from "./chance.ts";
import { sampleAt, sampleEveryMs } from "./load-profile.ts";
import type { DemoServer } from "./server.ts";

const lastDayMs = 24 * hourMs;
/** Samples per transaction. */
const batch = 360;

/** A sample every 90 s leaves no gap in series; more samples make the demo start later. */
const earlierEveryMs = 90 * secondMs;

type Past = Pick<DemoServer, "spec" | "simulated">;

/** Series have no lists. Without lists, past samples lose most of their bytes. */
const forSeries = (sample: SampleBody): SampleBody => {
  const { worlds_top: _worlds, world_sizes: _sizes, regions, ...rest } = sample;
  return regions ? { ...rest, regions_omitted: rest.region_count ?? null } : rest;
};

/** Yields the samples of the 24 hours before `start`, without the time of the outage. */
export function* lastDay({ spec: { outage }, simulated }: Past, start: Instant): Generator<SampleBody[]> {
  const cutFrom = outage === null ? start : start - outage.hoursAgo * hourMs;
  const cutTo = outage === null ? start : cutFrom + outage.minutes * minuteMs;
  const end = simulated.silentFrom ?? start;
  let samples: SampleBody[] = [];
  for (let at = start - lastDayMs; at < end; at += sampleEveryMs) {
    if (at < cutFrom || at >= cutTo) samples.push(forSeries(sampleAt(simulated, at)));
    if (samples.length < batch) continue;
    yield samples;
    samples = [];
  }
  if (samples.length > 0) yield samples;
}

export const lastSampleAt = ({ simulated }: Pick<DemoServer, "simulated">, start: Instant): Instant =>
  start - Math.floor((start - (simulated.silentFrom ?? start)) / sampleEveryMs + 1) * sampleEveryMs;

const unmeasured: Sample = {
  // Sound: every field of the list is set.
  ...(Object.fromEntries(seriesFields.map((field) => [field, null])) as Record<SeriesField, null>),
  paused_empty: null,
  worlds_top: null,
  world_sizes: null,
  region_source: null,
  regions: null,
};

/** Converts a simulated sample as the plugin API does. */
const stored = (body: SampleBody): Sample => {
  const sample: { -readonly [field in keyof Sample]: Sample[field] } = { ...unmeasured };
  for (const field of seriesFields) sample[field] = body[field] ?? null;
  sample.paused_empty = body.paused_empty ?? null;
  sample.region_source = body.region_source ?? null;
  return settlePause(sample);
};

/** Stores samples as if each had come with a heartbeat, 20 to 100 ms after it was measured. */
export async function storeAsReceived(
  db: Database,
  serverId: string,
  samples: readonly SampleBody[],
): Promise<void> {
  const received = samples.map((body) => {
    const sampledAt = Date.parse(body.sampled_at);
    const receivedAt = sampledAt + 20 + Math.floor(chance(1, "delay", sampledAt) * 80);
    return { sampledAt, sample: stored(body), receivedAt };
  });
  await db.writeRelaxed(() => insertSamples(serverId, received));
}

/** Stores the days before the last one as sealed blocks, as the service keeps old samples. */
export async function storeEarlierDays(
  db: Database,
  { id, spec, simulated }: DemoServer,
  start: Instant,
): Promise<void> {
  if (spec.historyDays === 0) return;
  const end = start - lastDayMs;
  for (let from = Math.floor(start / dayMs - spec.historyDays) * dayMs; from < end; from += windowMs) {
    const times: Instant[] = [];
    for (let at = from; at < Math.min(end, from + windowMs); at += earlierEveryMs) times.push(at);
    const samples = times.map((at) => stored(sampleAt(simulated, at)));
    await db.writeRelaxed(addToBlock, id, sealedPoints(times, samples));
    await setImmediate();
  }
}

const sealedPoints = (times: readonly Instant[], samples: readonly Sample[]): SealedPoints => ({
  times: Float64Array.from(times),
  columns: new Map(
    seriesFields.map((field) => [
      fieldColumn(field),
      Float64Array.from(samples, (sample) => sample[field] ?? Number.NaN),
    ]),
  ),
  details: samples.map(() => null),
});
