import { dayMs, minuteMs, toTimestamp, type Instant } from "../core/time.ts";
import type { ProfileBody } from "../outbound/plugin-client.ts";
import { chance, rounded } from "./chance.ts";
import type { ServerSpec } from "./server-spec.ts";

/** `plugin`: the method's owner; `weight`: the share of samples that end in the method. */
interface Call {
  readonly frame: string;
  readonly plugin?: string;
  readonly weight: number;
  readonly calls?: readonly Call[];
}

/** Samples of one thread in a minute, 20 ms apart, as the plugin takes them. */
const samplesAMinute = 3000;

const call = (frame: string, weight: number, calls: readonly Call[] = []): Call => ({ frame, weight, calls });
const pluginCall = (plugin: string, frame: string, weight: number, calls: readonly Call[] = []): Call => ({
  plugin,
  frame,
  weight,
  calls,
});

const entities = (weight: number): Call =>
  call("net.minecraft.world.level.entity.EntityTickList.forEach", weight * 0.1, [
    call("net.minecraft.world.entity.Mob.serverAiStep", weight * 0.5, [
      call("net.minecraft.world.entity.ai.goal.GoalSelector.tick", weight * 0.25),
    ]),
    call("net.minecraft.world.entity.item.ItemEntity.tick", weight * 0.15),
  ]);

const world = (mobs: number): Call =>
  call("net.minecraft.server.level.ServerLevel.tick", 0.02, [
    entities(mobs),
    call("net.minecraft.server.level.ServerChunkCache.tick", 0.08),
    call("net.minecraft.world.level.block.entity.HopperBlockEntity.pushItemsTick", 0.05),
    call("ca.spottedleaf.moonrise.patches.starlight.light.StarLightEngine.performLightDecrease", 0.02),
  ]);

const asleep = (share: number): Call =>
  call("net.minecraft.server.MinecraftServer.waitUntilNextTick", 0.002, [
    call("jdk.internal.misc.Unsafe.park", share),
  ]);

const shop = (weight: number): Call =>
  pluginCall("MarketStalls", "com.example.market.PriceTask.run", weight * 0.2, [
    pluginCall("MarketStalls", "com.example.market.StockIndex.lookup", weight * 0.5, [
      call("java.util.HashMap.get", weight * 0.3),
    ]),
  ]);

const map = (weight: number): Call =>
  pluginCall("SkyMap", "org.example.skymap.TileRenderer.render", weight * 0.7, [
    call("java.util.zip.Deflater.deflate", weight * 0.3),
  ]);

/** The market plugin takes more of a busy tick than of a quiet one, and most of a late one. */
const quietTick = call("net.minecraft.server.MinecraftServer.tickServer", 0.01, [
  world(0.18),
  shop(0.03),
  map(0.04),
  asleep(0.5),
]);
const busyTick = call("net.minecraft.server.MinecraftServer.tickServer", 0.01, [
  world(0.3),
  shop(0.22),
  map(0.06),
  asleep(0.18),
]);
const lateTick = call("net.minecraft.server.MinecraftServer.tickServer", 0.01, [
  world(0.28),
  shop(0.36),
  map(0.05),
  asleep(0.03),
]);

/** The plugin takes a profile only after ticks have been late for some minutes. */
const profiledAfterMs = 20 * minuteMs;

type Tree = Pick<ProfileBody, "frames" | "nodes">;

/** The tree as flat lists; samples vary around each weight. */
function flat(root: Call, samples: number, seed: number): Tree {
  const tree: { frames: ProfileBody["frames"]; nodes: ProfileBody["nodes"] } = { frames: [], nodes: [] };
  const waiting: { readonly at: Call; readonly parent: number }[] = [{ at: root, parent: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, parent } = next;
    const index = tree.nodes.length;
    const wobble = 0.9 + 0.2 * chance(seed, at.frame, index);
    const { plugin = null } = at;
    tree.frames.push({ frame: at.frame, owner: plugin, plugin: plugin !== null });
    tree.nodes.push({ parent, frame: index, samples: Math.round(at.weight * samples * wobble) });
    waiting.push(...(at.calls ?? []).map((below) => ({ at: below, parent: index })));
  }
  return tree;
}

const localTime = (at: Instant): string =>
  toTimestamp(at).slice(0, 19).replace("T", "_").replaceAll(":", "-");

function profile(spec: ServerSpec, at: Instant, tick: Call): ProfileBody {
  const { software, pluginVersion, profile } = spec;
  const lagged = tick !== quietTick;
  const tree = flat(tick, samplesAMinute, profile.seed + (lagged ? 1 : 0));
  const taken = tree.nodes.reduce((sum, { samples }) => sum + samples, 0);
  return {
    schema: "service-profile/1",
    local_id: `profile-${localTime(at)}`,
    plugin_version: pluginVersion,
    engine: "sampler",
    trigger: lagged ? "lag" : "manual",
    created_at: toTimestamp(at),
    capture: {
      window_start: toTimestamp(at - minuteMs),
      window_end: toTimestamp(at),
      window_seconds: 60,
      requested_seconds: 60,
      stack_depth: 64,
    },
    lag: lagged
      ? {
          kind: "sustained",
          started_at: toTimestamp(at - minuteMs),
          detected_at: toTimestamp(at - minuteMs / 2),
          slow_ticks: 140 + Math.round(60 * chance(profile.seed, "slow ticks", 0)),
          longest_tick_ms: rounded(280 + 200 * chance(profile.seed, "longest tick", 0)),
        }
      : null,
    platform: {
      server_type: software.type,
      server_version: software.build ?? software.game_version,
      bukkit_version: null,
      plugin_count: software.plugin_count ?? null,
      service_version: pluginVersion,
    },
    jvm: {
      java_version: software.java_version ?? null,
      java_vendor: software.java_vendor ?? null,
      vm_name: "OpenJDK 64-Bit Server VM",
      available_processors: profile.cores,
    },
    samples: {
      tick: taken,
      total: taken,
      truncated_tick: 0,
      capped_tick: 0,
      distinct_stacks: tree.nodes.length,
    },
    ...tree,
  };
}

/** A quiet profile six days ago, a slow one yesterday, and one more if the server slowed down since. */
export const profilesOf = (spec: ServerSpec, start: Instant): ProfileBody[] => [
  profile(spec, start - 6 * dayMs, quietTick),
  profile(spec, start - dayMs, spec.slowed === null ? lateTick : busyTick),
  ...(spec.slowed === null
    ? []
    : [profile(spec, start - spec.slowed.minutesAgo * minuteMs + profiledAfterMs, lateTick)]),
];

/** On the owner's request: a minute of an ordinary day. */
export const profileTakenAt = (spec: ServerSpec, now: Instant): ProfileBody => profile(spec, now, quietTick);
