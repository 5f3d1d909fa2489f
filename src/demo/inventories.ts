import { SoftwareInventory } from "../core/software/inventory.ts";
import { minuteMs, type Instant } from "../core/time.ts";
import { recordSoftware } from "../services/software/record-software.ts";
import type { Database } from "../store/engine/database.ts";
import { chance } from "./chance.ts";
import type { ServerSpec } from "./server-spec.ts";
import type { DemoServer } from "./server.ts";
import { habitsOf, ownPlugin } from "./timeline-data.ts";

const plugins: readonly (readonly [name: string, older: string, newest: string])[] = [
  ["MarketStalls", "2.10.0", "2.10.1"],
  ["SkyMap", "4.2.3", "4.3.0"],
  ["Waystones", "1.8.0", "1.8.2"],
  ["HomeKeeper", "3.1", "3.2"],
  ["ChatChannels", "5.0.4", "5.1.0"],
  ["ClaimStakes", "16.18.3", "16.18.4"],
  ["RankLadder", "2.9.7", "2.9.11"],
  ["QuestBoard", "0.14.2", "0.15.0"],
  ["MobStacks", "1.6.1", "1.7.0"],
  ["TreeFeller", "1.26.15", "1.26.18"],
  ["NightSkip", "2.0", "2.1"],
  ["CrateKeys", "6.3.9", "6.4.0"],
  ["PlotFrames", "7.3.8", "7.5.4"],
  ["ArenaRound", "1.2.0", "1.2.1"],
  ["VoteBell", "2.7.3", "2.8.0"],
  ["TabHeader", "4.1.8", "5.0.3"],
  ["LoreBooks", "1.0.2", "1.1.0"],
  ["PetPerch", "3.19.2", "3.20.0"],
  ["GateNetwork", "0.10.8", "0.11.5"],
  ["WorldFence", "7.0.9", "7.0.13"],
  ["FrameLock", "1.3", "1.4"],
];

const olderShare = 0.15;
/** The server that became slower after an update of this plugin. */
const updated = { server: "Foundry SMP", plugin: "MarketStalls", minutesAgo: 185 } as const;

/** The inventory before or after the update of `updated`. */
export function inventoryOf(
  { name, software, pluginVersion, profile }: ServerSpec,
  isUpdated: boolean,
): SoftwareInventory {
  const { type, type_name, game_version, build, java_version, java_vendor, plugin_count, mod_count } =
    software;
  const { banPlugin, antiCheat } = habitsOf(name);
  const versionOf = ([plugin, older, newest]: (typeof plugins)[number], index: number): string => {
    if (name === updated.server && plugin === updated.plugin) return isUpdated ? newest : older;
    return chance(profile.seed, "version", index) < olderShare ? older : newest;
  };
  const always = [
    { name: ownPlugin, version: pluginVersion },
    { name: banPlugin, version: "2.16.1" },
    ...(antiCheat === null ? [] : [{ name: antiCheat, version: "2.3.71" }]),
  ];
  const installed = [
    ...always,
    ...plugins.map((plugin, index) => ({ name: plugin[0], version: versionOf(plugin, index) })),
  ];
  return SoftwareInventory.parse({
    server: { type, name: type_name, version: game_version, build },
    java: {
      version: java_version,
      vendor: java_vendor,
      flags: [`-Xms${profile.heapMaxMb}M`, `-Xmx${profile.heapMaxMb}M`, "-XX:+UseG1GC"],
    },
    plugins: installed.slice(0, plugin_count ?? 0),
    mods: installed.slice(0, mod_count ?? 0),
    settings: { view_distance: 8, simulation_distance: 6, spawn_limit_monsters: 40 },
  });
}

/** Stores the inventory of each server's boot, and that of the update. */
export async function fillInventories(
  db: Database,
  servers: readonly DemoServer[],
  start: Instant,
): Promise<void> {
  for (const { id, spec, simulated } of servers) {
    await db.write(recordSoftware, id, inventoryOf(spec, false), simulated.bootedAt);
    if (spec.name !== updated.server) continue;
    await db.write(recordSoftware, id, inventoryOf(spec, true), start - updated.minutesAgo * minuteMs);
  }
}
