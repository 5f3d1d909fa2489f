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
/** Samples of one transaction. */
const batch = 360;

/** Earlier days have a sample every 90 s, which leaves no gap: fewer make the demo start sooner. */
const earlierEveryMs = 90 * secondMs;

type Past = Pick<DemoServer, "spec" | "simulated">;

/** A sample of the past feeds series alone, and no series is drawn of a list: leaving them out saves most of the bytes. */
const forSeries = (sample: SampleBody): SampleBody => {
  const { worlds_top: _worlds, regions, ...rest } = sample;
  return regions ? { ...rest, regions_omitted: rest.region_count ?? null } : rest;
};

/** Yields the samples of the 24 hours before `start` part by part, without the time its network was cut. */
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

/** The time of a server's last sample before `start`. */
export const lastSampleAt = ({ simulated }: Pick<DemoServer, "simulated">, start: Instant): Instant =>
  start - Math.floor((start - (simulated.silentFrom ?? start)) / sampleEveryMs + 1) * sampleEveryMs;

const unmeasured: Sample = {
  // Sound: every field of the list is set.
  ...(Object.fromEntries(seriesFields.map((field) => [field, null])) as Record<SeriesField, null>),
  paused_empty: null,
  worlds_top: null,
  region_source: null,
  regions: null,
};

/** What the plugin API makes of a simulated sample. */
const stored = (body: SampleBody): Sample => {
  const sample: { -readonly [field in keyof Sample]: Sample[field] } = { ...unmeasured };
  for (const field of seriesFields) sample[field] = body[field] ?? null;
  sample.paused_empty = body.paused_empty ?? null;
  sample.region_source = body.region_source ?? null;
  return settlePause(sample);
};

/** Stores samples as if each had come with a heartbeat of its time, some tens of milliseconds after it was measured. */
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

/** Stores the days before the last one, as they are kept once they are sealed. */
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
