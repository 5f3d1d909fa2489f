import { bucketMs, bucketStart } from "../../metric/chunk.ts";
import { median } from "../../statistics/order.ts";
import { shownMemory } from "../../text/memory.ts";
import { shownTime } from "../../text/plain-words.ts";
import { dayMs, hourMs, type Instant } from "../../time.ts";
import { backupDiskLevel, diskGrowth, diskLevel, type DiskLevel } from "../disk-room.ts";
import type { HealthFacts } from "../facts.ts";
import type { HealthSamples } from "../health-samples.ts";
import type { HealthEvidence } from "../health.ts";
import { freeDiskStep, readMetricsStep } from "../next-steps.ts";
import {
  diskCritical,
  diskCriticalMb,
  diskEndsAfterMs,
  diskFullWithinMs,
  diskWarning,
} from "../thresholds.ts";
import {
  evidenceFigure,
  heldSince,
  judgedSamples,
  oneDecimal,
  type Beginning,
  type HealthRule,
} from "./rule.ts";

/** The fields of one disk, and how full it may be. */
interface Disk {
  readonly free: "disk_free_mb" | "backup_disk_free_mb";
  readonly total: "disk_total_mb" | "backup_disk_total_mb";
  readonly levelOf: (freeMb: number, totalMb: number) => DiskLevel | null;
}

const worldDisk: Disk = { free: "disk_free_mb", total: "disk_total_mb", levelOf: diskLevel };
const backupDisk: Disk = {
  free: "backup_disk_free_mb",
  total: "backup_disk_total_mb",
  levelOf: backupDiskLevel,
};

interface Room {
  readonly at: Instant;
  readonly free: number;
  readonly total: number;
}

/** The median of the free space; null where it was not measured. */
function roomIn(samples: HealthSamples, { free, total }: Disk): Room | null {
  const [newest, size] = [samples.newest(free), samples.newest(total)];
  if (newest === null || size === null || size.value <= 0) return null;
  return { at: newest.at, free: median(samples.values(free)), total: size.value };
}

interface Rooms {
  readonly least: Room;
  readonly newest: Room;
}

/** The five minutes of the last hour with the least room, of equal ones the newest, and the newest ones. */
function roomsOf(facts: HealthFacts, disk: Disk): Rooms | null {
  const from = bucketStart(facts.to - diskEndsAfterMs);
  const samples = judgedSamples(facts, from);
  let found: Rooms | null = null;
  for (let start = from; start < facts.to; start += bucketMs) {
    const room = roomIn(samples.between(start, start + bucketMs), disk);
    if (room === null) continue;
    const least: Room = found?.least ?? room;
    found = { least: room.free / room.total <= least.free / least.total ? room : least, newest: room };
  }
  return found;
}

/** Since when the disk has been as full as `level` or more, without an hour of enough room. */
const fullSince = (facts: HealthFacts, disk: Disk, level: DiskLevel): Beginning =>
  heldSince(
    facts,
    (samples) => {
      const room = roomIn(samples, disk);
      const found = room && disk.levelOf(room.free, room.total);
      return room && (found === level || found === "critical");
    },
    { endedBy: diskEndsAfterMs / bucketMs },
  );

const percentOf = ({ free, total }: Room): number => oneDecimal((free / total) * 100);

const sizesOf = (room: Room): string =>
  `${percentOf(room)} % free: ${shownMemory(room.free)} of ${shownMemory(room.total)}`;

/** The free space as evidence; `level` is the one whose limits stand beside it. */
const roomEvidence = ({ free, total }: Disk, room: Room, level: DiskLevel): HealthEvidence[] => {
  const isCritical = level === "critical";
  const share = (isCritical ? diskCritical : diskWarning) * 100;
  return [
    evidenceFigure(free.replace("_mb", "_share"), percentOf(room), "percent", share, room.at),
    evidenceFigure(free, Math.round(room.free), "mb", isCritical ? diskCriticalMb : null, room.at),
    evidenceFigure(total, room.total, "mb", null, room.at),
  ];
};

interface Forecast {
  readonly perDay: number;
  readonly leftMs: number;
}

/** At the growth of the last seven days; null where none is known. */
function forecastOf({ diskLows }: HealthFacts, { free }: Room): Forecast | null {
  const perDay = diskGrowth(diskLows);
  return perDay === null ? null : { perDay, leftMs: (free / perDay) * dayMs };
}

/** Growth is no clock: minutes would say more than is known. */
const wholeHour = (at: Instant): Instant => Math.round(at / hourMs) * hourMs;

const forecastEvidence = ({ perDay, leftMs }: Forecast, at: Instant): HealthEvidence[] => [
  evidenceFigure("disk_growth_mb_per_day", Math.round(perDay), "mb", null, at),
  evidenceFigure("hours_until_disk_full", Math.ceil(leftMs / hourMs), "hours", diskFullWithinMs / hourMs, at),
];

const largestWorld = ({ samples }: HealthFacts): HealthEvidence[] => {
  const world = samples.newest("largest_world_mb");
  return world === null ? [] : [evidenceFigure("largest_world_mb", world.value, "mb", null, world.at)];
};

const backupDiskFull: HealthRule = (facts) => {
  const least = roomsOf(facts, backupDisk)?.least ?? null;
  if (least === null || backupDiskLevel(least.free, least.total) === null) return null;
  return {
    code: "disk_nearly_full",
    severity: "warning",
    ...fullSince(facts, backupDisk, "warning"),
    evidence: roomEvidence(backupDisk, least, "critical"),
    next: [freeDiskStep(), readMetricsStep(facts, "backup_disk_free_mb", "backup_disk_total_mb")],
    text: `The disk of the backups has ${sizesOf(least)}. On a full disk no backup is made.`,
  };
};

/** The disk of the worlds, by its room or by the growth of seven days, then that of the backups. */
export const diskNearlyFull: HealthRule = (facts) => {
  const found = roomsOf(facts, worldDisk);
  if (found === null) return backupDiskFull(facts);
  const { least, newest } = found;
  const level = diskLevel(least.free, least.total);
  const forecast = forecastOf(facts, newest);
  const isSoon = forecast !== null && forecast.leftMs <= diskFullWithinMs;
  if (level === null && !isSoon) return backupDiskFull(facts);
  const beginning: Beginning = level === null ? { since: null } : fullSince(facts, worldDisk, level);
  return {
    code: "disk_nearly_full",
    severity: level ?? "warning",
    ...beginning,
    evidence: [
      ...roomEvidence(worldDisk, level === null ? newest : least, level ?? "warning"),
      ...(forecast === null ? [] : forecastEvidence(forecast, newest.at)),
      ...largestWorld(facts),
    ],
    next: [freeDiskStep(), readMetricsStep(facts, "disk_free_mb", "disk_total_mb", "largest_world_mb")],
    text:
      level === null && forecast !== null
        ? `The disk fills by ${shownMemory(forecast.perDay)} a day, and is full at about ${shownTime(wholeHour(facts.to + forecast.leftMs))} if it goes on.`
        : `The disk has ${sizesOf(least)}. On a full disk the server cannot save.`,
  };
};
