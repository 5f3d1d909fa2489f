import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { SettingKey, WrittenSetting } from "../../core/software/known-settings.ts";
import { parseProperties, propertiesText } from "../install/server-properties.ts";
import { isBehindLink } from "./behind-link.ts";
import { plainBytes } from "../files/plain-file.ts";
import { sentText } from "./sent-text.ts";
import { yamlScalars } from "./yaml-scalars.ts";

/** Larger than any real file, bytes. */
const largestFile = 1024 * 1024;

const properties = "server.properties";
const bukkit = "bukkit.yml";
const spigot = "spigot.yml";
const paperWorlds = "config/paper-world-defaults.yml";

/** Configuration files whose digest is sent. */
export const watchedFiles: readonly string[] = [
  properties,
  bukkit,
  spigot,
  paperWorlds,
  "config/paper-global.yml",
  "paper.yml",
  "purpur.yml",
  "velocity.toml",
  "config.yml",
];

const places: Readonly<Record<SettingKey, readonly [file: string, key: string]>> = {
  view_distance: [properties, "view-distance"],
  simulation_distance: [properties, "simulation-distance"],
  sync_chunk_writes: [properties, "sync-chunk-writes"],
  max_auto_save_chunks_per_tick: [paperWorlds, "chunks.max-auto-save-chunks-per-tick"],
  prevent_moving_into_unloaded_chunks: [paperWorlds, "chunks.prevent-moving-into-unloaded-chunks"],
  activation_range_monsters: [spigot, "world-settings.default.entity-activation-range.monsters"],
  spawn_limit_monsters: [bukkit, "spawn-limits.monsters"],
  max_entity_collisions: [paperWorlds, "collisions.max-entity-collisions"],
  tick_inactive_villagers: [spigot, "world-settings.default.entity-activation-range.tick-inactive-villagers"],
  merge_radius_item: [spigot, "world-settings.default.merge-radius.item"],
  redstone_implementation: [paperWorlds, "misc.redstone-implementation"],
  hopper_ignore_occluding_blocks: [paperWorlds, "hopper.ignore-occluding-blocks"],
  hopper_check_ticks: [spigot, "world-settings.default.ticks-per.hopper-check"],
};

/** Known settings, and digests of the configuration files; links found on the way are added to `unread`. */
export async function readSettings(
  directory: string,
  unread: string[],
): Promise<Pick<SoftwareInventory, "settings" | "files">> {
  const values = new Map<string, ReadonlyMap<string, string>>();
  const files: { file: string; sha256: string }[] = [];
  for (const file of watchedFiles) {
    if (await isBehindLink(directory, file, unread)) continue;
    const bytes = await plainBytes(join(directory, file), largestFile);
    if (bytes === null) continue;
    const text = propertiesText(bytes);
    values.set(file, file === properties ? parseProperties(text) : yamlScalars(text));
    files.push({ file, sha256: digestOfSettings(file, text) });
  }
  const settings = Object.entries(places).map(([setting, [file, key]]) => [
    setting,
    settingOf(values.get(file)?.get(key)),
  ]);
  return { settings: Object.fromEntries(settings) as SoftwareInventory["settings"], files };
}

/** Lines with these keys are not in the digest, which would let somebody test guesses of the secrets. */
const secretKey = /password|secret|token|api-?key|credential/i;

/** The lines of `server.properties` are sorted: a server rewrites them at every start in any order. */
function digestOfSettings(file: string, text: string): string {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^\s*[#!]/.test(line) && !secretKey.test(line));
  const kept = file === properties ? lines.sort() : lines;
  return createHash("sha256").update(kept.join("\n")).digest("hex");
}

const number = /^-?\d{1,12}(?:\.\d{1,12})?$/;
const longestSetting = 200;

function settingOf(text: string | undefined): WrittenSetting | null {
  const written = text?.trim() ?? "";
  if (written === "") return null;
  const lower = written.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  return number.test(written) ? Number(written) : sentText(written, longestSetting);
}
