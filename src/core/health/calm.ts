import type { LevelBaseline } from "./baseline.ts";
import { bandOf } from "./bands.ts";
import { backupDiskLevel, diskLevel } from "./disk-room.ts";
import { shareOfFullRate } from "../metric/target-rate.ts";
import type { SteadyField } from "./health-fields.ts";
import {
  containerWarning,
  gcWarning,
  heapWarning,
  leastTps,
  silentMs,
  spikeMs,
  tickWarningMs,
} from "./thresholds.ts";
import type { Instant } from "../time.ts";

/** The extremes of a server's samples in one 5-minute bucket; null for a field that was not measured. */
export interface BucketExtremes {
  readonly newestAt: Instant;
  readonly leastTps: number | null;
  readonly leastTargetTps: number | null;
  readonly mostMspt: number | null;
  readonly mostRegionMspt: number | null;
  readonly mostMsptP95: number | null;
  readonly worstTickMs: number | null;
  readonly leastPlayers: number | null;
  readonly mostPlayers: number | null;
  readonly ramMaxMb: number | null;
  readonly leastHeapMb: number | null;
  readonly leastRssMb: number | null;
  readonly leastContainerUsedMb: number | null;
  readonly containerMb: number | null;
  readonly leastDiskFreeMb: number | null;
  readonly diskMb: number | null;
  readonly leastBackupFreeMb: number | null;
  readonly backupDiskMb: number | null;
  readonly cpuUsage: number | null;
  readonly cpuSystem: number | null;
  readonly mostEntities: number | null;
  readonly mostChunks: number | null;
  readonly mostTileEntities: number | null;
  /** The sum of all pauses. */
  readonly gcMs: number | null;
}

const measuredBy: Readonly<Record<SteadyField, keyof BucketExtremes>> = {
  tps: "leastTps",
  target_tps: "leastTargetTps",
  mspt: "mostMspt",
  mspt_p95: "mostMsptP95",
  worst_tick_ms: "worstTickMs",
  player_count: "mostPlayers",
  ram_max_mb: "ramMaxMb",
  heap_after_gc_mb: "leastHeapMb",
  rss_mb: "leastRssMb",
  container_used_mb: "leastContainerUsedMb",
  container_limit_mb: "containerMb",
  disk_free_mb: "leastDiskFreeMb",
  disk_total_mb: "diskMb",
  backup_disk_free_mb: "leastBackupFreeMb",
  backup_disk_total_mb: "backupDiskMb",
  cpu_usage: "cpuUsage",
  cpu_system: "cpuSystem",
  gc_stw_ms: "gcMs",
  entity_count: "mostEntities",
  loaded_chunks: "mostChunks",
  tile_entities: "mostTileEntities",
  mspt_region_avg: "mostRegionMspt",
};

/** 0 if one of them is unknown. */
const shareOf = (part: number | null, whole: number | null): number =>
  part === null || whole === null || whole <= 0 ? 0 : part / whole;

/** True where the disk is not measured. */
const hasRoom = (levelOf: typeof diskLevel, free: number | null, total: number | null): boolean =>
  free === null || total === null || levelOf(free, total) === null;

/**
 * Whether no critical finding or warning can have begun in the bucket that ends at `to`, for a server that
 * was healthy before. The limits are those of the rules, applied to the worst sample: a calm bucket needs no
 * evaluation.
 */
export function isCalm(
  extremes: BucketExtremes,
  {
    to,
    lengthMs,
    measured,
  }: {
    readonly to: Instant;
    readonly lengthMs: number;
    readonly measured: readonly SteadyField[];
  },
): boolean {
  const { newestAt, leastTps: tps, mostMspt, worstTickMs, leastHeapMb, ramMaxMb } = extremes;
  return (
    to - newestAt < silentMs &&
    // With fewer ticks set the limits are others, which the rules know.
    shareOfFullRate(extremes.leastTargetTps) === 1 &&
    (mostMspt ?? 0) < tickWarningMs &&
    (tps ?? leastTps) >= leastTps &&
    (worstTickMs ?? 0) < spikeMs &&
    shareOf(leastHeapMb, ramMaxMb) < heapWarning &&
    hasRoom(diskLevel, extremes.leastDiskFreeMb, extremes.diskMb) &&
    hasRoom(backupDiskLevel, extremes.leastBackupFreeMb, extremes.backupDiskMb) &&
    shareOf(extremes.leastContainerUsedMb ?? extremes.leastRssMb, extremes.containerMb) < containerWarning &&
    ((extremes.gcMs ?? 0) / lengthMs) * 100 < gcWarning &&
    measured.every((field) => extremes[measuredBy[field]] !== null)
  );
}

/** Whether every sample of the bucket, and so its median, is within the usual range of its bands. */
export function isBelowUnusual(
  { mostMspt, mostRegionMspt, leastPlayers, mostPlayers }: BucketExtremes,
  { bands }: LevelBaseline,
): boolean {
  const value = mostRegionMspt ?? mostMspt;
  if (value === null) return true;
  const [from, to] = [bandOf(leastPlayers ?? 0).from, bandOf(mostPlayers ?? 0).from];
  return bands.every(({ playersFrom, p98 }) => playersFrom < from || playersFrom > to || value <= p98);
}
