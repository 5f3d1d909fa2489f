import { z } from "zod";
import { addition } from "../addition.ts";
import { orNull } from "../reported.ts";
import { detail, field } from "./field.ts";
import { mostWorldSizes, ReportedWorldSize, WorldSize } from "./worlds.ts";

/**
 * The file systems of the worlds and of the backups, and what the worlds take. Free is what a user without
 * rights of the system may still write, and the size is that and what is used.
 */
export const diskFields = {
  disk_free_mb: field("count", {
    id: 25,
    unit: "MB",
    of: "machine",
    compare: "more",
    name: "Free on the disk",
    example: 48_200,
    migration: 5,
  }),
  disk_total_mb: field("count", {
    id: 26,
    unit: "MB",
    of: "machine",
    compare: "unadjusted",
    name: "Size of the disk",
    example: 102_400,
    migration: 5,
  }),
  backup_disk_free_mb: field("count", {
    id: 27,
    unit: "MB",
    of: "machine",
    compare: "more",
    name: "Free on the disk of the backups",
    example: null,
    migration: 5,
  }),
  backup_disk_total_mb: field("count", {
    id: 28,
    unit: "MB",
    of: "machine",
    compare: "unadjusted",
    name: "Size of the disk of the backups",
    example: null,
    migration: 5,
  }),
  largest_world_mb: field("count", {
    id: 29,
    unit: "MB",
    of: "machine",
    compare: "unadjusted",
    name: "Size of the largest world",
    example: 8120,
    migration: 5,
  }),
  world_sizes: detail(
    addition(
      z
        .array(WorldSize)
        .nullable()
        .describe("Worlds by the names of their folders, the largest first; null if they were not measured."),
    ),
    orNull(z.array(ReportedWorldSize).max(mostWorldSizes)),
  ),
} as const;
