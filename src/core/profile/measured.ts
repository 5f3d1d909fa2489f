import { z } from "zod";
import { schemasOf } from "../metric/fields.ts";
import { SampleSource, type ImportedSample } from "../metric/imported.ts";
import { ReportedSample, sampleOf } from "../metric/reported-sample.ts";
import { parseInstant } from "../time.ts";
import { IsoInstant, Timestamp } from "../timestamp.ts";

/** spark keeps 60 windows unless it is told otherwise. */
export const maxWindows = 240;

/** What a window may have of a sample: named and counted as there. */
const measuredFields = {
  tps: true,
  mspt: true,
  mspt_p95: true,
  worst_tick_ms: true,
  cpu_usage: true,
  cpu_system: true,
  player_count: true,
  entity_count: true,
  tile_entities: true,
  loaded_chunks: true,
  ram_used_mb: true,
  ram_max_mb: true,
  worlds_top: true,
} as const;

const sent = z.object(schemasOf("sent")).pick(measuredFields);
const shown = z.object(schemasOf("shown")).pick(measuredFields);

/** What the program that took the profile measured meanwhile, window by window, the oldest first. */
export const SentMeanwhile = z.object({
  source: SampleSource,
  windows: z.array(z.object({ start: IsoInstant, end: IsoInstant, ...sent.shape })).max(maxWindows),
});
export type SentMeanwhile = z.output<typeof SentMeanwhile>;

/** The same in answers, the newest window first. */
export const MeasuredMeanwhile = z.object({
  source: SampleSource,
  windows: z.array(z.object({ start: Timestamp, end: Timestamp, ...shown.shape })),
});

/** The windows as samples, each of the time at which it ended. */
export function importedSamples({ windows }: SentMeanwhile): ImportedSample[] {
  return windows.flatMap(({ start, end, ...values }): ImportedSample[] => {
    const [startedAt, sampledAt] = [parseInstant(start), parseInstant(end)];
    if (startedAt === null || sampledAt === null || sampledAt <= startedAt) return [];
    const sample = sampleOf(ReportedSample.parse({ ...values, sampled_at: end }));
    return [{ startedAt, sampledAt, sample }];
  });
}
