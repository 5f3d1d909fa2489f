import { z } from "zod";
import { orNull, ReportedTps } from "../reported.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { shownCount, shownMeasure, reportedCount, reportedMeasure } from "./field.ts";

/** Code points of the name of a world. */
export const nameLength = 120;

export const World = z.object({
  name: thirdPartyText(nameLength),
  players: shownCount,
  entities: shownCount,
  chunks: shownCount,
});

/** Worlds whose size a sample names; the agent leaves smaller ones out. */
export const mostWorldSizes = 16;

/** Bytes of all files of a world's folder, in MB of 1,048,576 bytes. */
export const WorldSize = z.object({ name: thirdPartyText(nameLength), size_mb: z.int() });

export const Region = z.object({
  id: shownCount,
  world: thirdPartyText(nameLength),
  center_x: z.int(),
  center_z: z.int(),
  chunks: shownCount,
  players: shownCount,
  entities: shownCount,
  ticks: shownCount,
  ticks_over_50ms: shownCount,
  tps: shownMeasure,
  mspt: shownMeasure,
  mspt_p95: shownMeasure,
  mspt_max: shownMeasure,
  lag_seconds: shownMeasure,
});

type Load = Pick<z.infer<typeof Region>, "mspt" | "tps">;

/** Regions with the longest ticks first; those of which only the rate is known by that, the slowest first. */
export const worstFirst = <R extends Load>(regions: readonly R[]): R[] =>
  regions.toSorted(
    (one, other) => (other.mspt ?? 0) - (one.mspt ?? 0) || (one.tps ?? 20) - (other.tps ?? 20),
  );

/** Block coordinates reach 30 million; the margin is for regions centred beyond the border. */
const coordinate = z.int().min(-40_000_000).max(40_000_000);
const name = thirdPartyText(nameLength);

export const ReportedWorld = z.object({
  name,
  players: orNull(reportedCount),
  entities: orNull(reportedCount),
  chunks: orNull(reportedCount),
});

export const ReportedWorldSize = z.object({ name, size_mb: reportedCount });

export const ReportedRegion = z.object({
  id: orNull(z.int()),
  world: name,
  center_x: coordinate,
  center_z: coordinate,
  chunks: orNull(reportedCount),
  players: orNull(reportedCount),
  entities: orNull(reportedCount),
  ticks: orNull(reportedCount),
  ticks_over_50ms: orNull(reportedCount),
  tps: orNull(ReportedTps),
  mspt: orNull(reportedMeasure),
  mspt_p95: orNull(reportedMeasure),
  mspt_max: orNull(reportedMeasure),
  lag_seconds: orNull(reportedMeasure),
});
