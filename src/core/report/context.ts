import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import { memoryDiffers } from "./memory-tolerance.ts";
import { ConfigBlock, JvmBlock } from "./payload-blocks.ts";
import type { ReportPayload } from "./payload.ts";
import type { ReportDetail } from "./report.ts";

/** Hardware, software and settings of a run; runs can only be compared directly if these are equal. */
export const contextFields = [
  "cpu_name",
  "cpu_cores",
  "cpu_threads",
  "ram_gb",
  "available_processors",
  "cpu_quota_cores",
  "memory_limit_gb",
  "disk_type",
  "os_name",
  "java_version",
  "collector",
  "heap_max_mb",
  "heap_initial_mb",
  "jvm_flags",
  "server_type",
  "game_version",
  "plugin_version",
  "plugin_count",
  "mod_count",
  "dispersed_zones",
  "config.view_distance",
  "config.simulation_distance",
  "config.sync_chunk_writes",
  "config.max_auto_save_chunks_per_tick",
  "config.prevent_moving_into_unloaded_chunks",
  "config.activation_range_monsters",
  "config.spawn_limit_monsters",
  "config.max_entity_collisions",
  "config.tick_inactive_villagers",
  "config.merge_radius_item",
  "config.redstone_implementation",
  "config.hopper_ignore_occluding_blocks",
  "config.hopper_check_ticks",
] as const;
export type ContextField = (typeof contextFields)[number];

/** Text as the plugin reported it, or a number in the unit of the field's name; null: unknown. */
export type ContextValue = string | number | boolean | null;

/** The longest text that is shown, characters; a longer list of JVM flags is cut. */
const shownText = 500;
export const ShownContextValue = z.union([thirdPartyText(shownText), z.number(), z.boolean()]).nullable();

export type RunContext = Readonly<Record<ContextField | "server_build", ContextValue>>;

/** Heap sizes are fields of their own, and the order of the other flags has no meaning. */
const heapSize = /^-(?:Xms|Xmx|XX:(?:Max|Initial)HeapSize=)/;
const flagsOf = (flags: readonly string[] | null): string | null =>
  flags &&
  [...new Set(flags)]
    .filter((flag) => !heapSize.test(flag))
    .toSorted()
    .join("\n");

type UploadOnly = Exclude<keyof RunContext, keyof ReturnType<typeof reported>>;

const reported = ({ hardware, server, ...report }: ReportDetail) => ({
  cpu_name: hardware.cpu_name,
  cpu_cores: hardware.cpu_cores,
  cpu_threads: hardware.cpu_threads,
  ram_gb: hardware.ram_gb,
  available_processors: hardware.available_processors,
  memory_limit_gb: hardware.memory_limit_gb,
  disk_type: hardware.disk_type,
  os_name: report.os_name,
  java_version: report.java_version,
  server_type: server.type,
  game_version: server.game_version,
  plugin_version: server.plugin_version,
  plugin_count: report.plugin_count,
  mod_count: report.mod_count,
  dispersed_zones: report.dispersed_zones,
  server_build: server.build,
});

const unreadable = { hardware: null, jvm: JvmBlock.parse({}), config: ConfigBlock.parse({}) };

const uploaded = ({
  hardware,
  jvm,
  config,
}: ReportPayload | typeof unreadable): Pick<RunContext, UploadOnly> => ({
  // A container without a quota reports null.
  cpu_quota_cores: hardware && (hardware.cpu_quota_cores ?? "none"),
  collector: jvm.collector,
  heap_max_mb: jvm.heap_max_mb,
  heap_initial_mb: jvm.heap_initial_mb,
  jvm_flags: flagsOf(jvm.flags),
  "config.view_distance": config.view_distance,
  "config.simulation_distance": config.simulation_distance,
  "config.sync_chunk_writes": config.sync_chunk_writes,
  "config.max_auto_save_chunks_per_tick": config.max_auto_save_chunks_per_tick,
  "config.prevent_moving_into_unloaded_chunks": config.prevent_moving_into_unloaded_chunks,
  "config.activation_range_monsters": config.activation_range_monsters,
  "config.spawn_limit_monsters": config.spawn_limit_monsters,
  "config.max_entity_collisions": config.max_entity_collisions,
  "config.tick_inactive_villagers": config.tick_inactive_villagers,
  "config.merge_radius_item": config.merge_radius_item,
  "config.redstone_implementation": config.redstone_implementation,
  "config.hopper_ignore_occluding_blocks": config.hopper_ignore_occluding_blocks,
  "config.hopper_check_ticks": config.hopper_check_ticks,
});

/** `*_gb` in GiB, `*_mb` in MB, quotas in cores. `payload` null: fields of the upload are unknown. */
export const reportContext = (report: ReportDetail, payload: ReportPayload | null): RunContext => ({
  ...reported(report),
  ...uploaded(payload ?? unreadable),
});

/** Sizes in GiB may differ by 2 %, and an unknown value counts as equal. */
export function contextDiffers(field: keyof RunContext, one: ContextValue, other: ContextValue): boolean {
  if (one === null || other === null) return false;
  if (field.endsWith("_gb") && typeof one === "number" && typeof other === "number")
    return memoryDiffers(one, other);
  return one !== other;
}

const leftOut = "…";

// Switches, sizes and counts: such options hold no path, address or command of the owner.
const plainOption = /^-X(?:X:[+-]\w+|X:\w+=\d+[kKmMgGtT%]?|[a-z]+\d*[kKmMgGtT]?)$/;
const optionName = /^-(?:XX:[+-]?\w+|-?[a-zA-Z][\w.-]*)/;

/** Only the name of an option is shown if its value could be private, and `…` if it has no name. */
export const shownOption = (flag: string): string =>
  plainOption.test(flag) ? flag : (optionName.exec(flag)?.[0] ?? leftOut);

const shorten = (text: string): string =>
  text.length > shownText ? `${[...text].slice(0, shownText - 1).join("")}${leftOut}` : text;

function onlyIn(flags: string, others: string): string {
  const known = new Set(others.split("\n"));
  const own = flags.split("\n").filter((flag) => flag !== "" && !known.has(flag));
  return shorten(own.map(shownOption).join(" "));
}

/** For JVM flags, each side shows only the flags that the other side lacks. */
export function shownPair(
  field: keyof RunContext,
  before: ContextValue,
  after: ContextValue,
): { before: ContextValue; after: ContextValue } {
  if (field !== "jvm_flags" || typeof before !== "string" || typeof after !== "string")
    return { before, after };
  return { before: onlyIn(before, after), after: onlyIn(after, before) };
}
