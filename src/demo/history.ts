import { setImmediate } from "node:timers/promises";
import { rollupMs, rollupStart } from "../core/metric/chunk.ts";
import { seriesFields, settlePause, type Sample, type SeriesField } from "../core/metric/sample.ts";
import { dayMs, hourMs, minuteMs, secondMs, type Instant } from "../core/time.ts";
import type { SampleBody } from "../outbound/plugin-client.ts";
import type { Database } from "../store/engine/database.ts";
import { insertSamples } from "../store/metric/samples.ts";
import { addToRollup, type TakenSample } from "../store/metric/series-rollup.ts";
import { chance } from "./chance.ts";
import { sampleAt, sampleEveryMs } from "./load-profile.ts";
import type { DemoServer } from "./server.ts";

const lastDayMs = 24 * hourMs;
/** Samples of one transaction. */
const batch = 360;

/** When the sample of five minutes of an earlier day was measured: one stands for all ten. */
const measuredAfterMs = 2 * minuteMs + 30 * secondMs;

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

/** What the plugin API makes of a simulated sample. */
const stored = (body: SampleBody): Sample => {
  const series = Object.fromEntries(seriesFields.map((field) => [field, body[field] ?? null]));
  return settlePause({
    // Sound: every field of the list was set just now.
    ...(series as Record<SeriesField, number | null>),
    paused_empty: body.paused_empty ?? null,
    worlds_top: null,
    region_source: body.region_source ?? null,
    regions: null,
  });
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

/** Stores the days before the last one as rows of five minutes, which old samples become. */
export async function storeEarlierDays(
  db: Database,
  { id, spec, simulated }: DemoServer,
  start: Instant,
): Promise<void> {
  if (spec.historyDays === 0) return;
  const end = rollupStart(start - lastDayMs);
  const taken = (at: Instant): TakenSample => ({ sampled_at: at, ...stored(sampleAt(simulated, at)) });
  let samples: TakenSample[] = [];
  for (let at = Math.floor(start / dayMs - spec.historyDays) * dayMs; at < end; at += rollupMs) {
    samples.push(taken(at + measuredAfterMs));
    if (samples.length < batch && at + rollupMs < end) continue;
    const part = samples;
    await db.writeRelaxed(() => addToRollup(id, part));
    samples = [];
    await setImmediate();
  }
}
