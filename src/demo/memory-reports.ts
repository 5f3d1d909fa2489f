import { dayMs, toTimestamp, type Instant } from "../core/time.ts";
import type { MemoryReportBody } from "../outbound/plugin-client.ts";
import { chance } from "./chance.ts";
import type { ServerSpec } from "./server-spec.ts";

const mib = 1024 * 1024;

/** `size`: bytes of one object; `share`: of the live set. */
const classes = [
  { class_name: "[B", owner: null, size: 96, share: 0.21 },
  { class_name: "net.minecraft.world.level.chunk.LevelChunkSection", owner: null, size: 208, share: 0.17 },
  { class_name: "[J", owner: null, size: 1040, share: 0.14 },
  { class_name: "net.minecraft.world.phys.AABB", owner: null, size: 64, share: 0.08 },
  { class_name: "java.lang.String", owner: null, size: 24, share: 0.06 },
  { class_name: "java.util.HashMap$Node", owner: null, size: 32, share: 0.06 },
  {
    class_name: "it.unimi.dsi.fastutil.objects.Object2ObjectOpenHashMap",
    owner: null,
    size: 64,
    share: 0.05,
  },
  { class_name: "org.example.skymap.Tile", owner: "SkyMap", size: 4112, share: 0.05 },
  { class_name: "com.example.market.Offer", owner: "MarketStalls", size: 56, share: 0.04 },
] as const;

/** Leaks with every price that is looked up, so that the second report is larger than the first. */
const leaking = { class_name: "com.example.market.PriceHistory", owner: "MarketStalls", size: 88 } as const;

function report(spec: ServerSpec, at: Instant, leakedMb: number): MemoryReportBody {
  const { software, pluginVersion, profile } = spec;
  const live = profile.liveSetMb * mib;
  const leaked = leakedMb * mib;
  const listed = classes.map(({ class_name, owner, size, share }, index) => {
    const objects = Math.round(
      (live * share * (0.95 + 0.1 * chance(profile.seed, class_name, index))) / size,
    );
    return { class_name, owner, plugin: owner !== null, objects, bytes: objects * size };
  });
  const objects = Math.round(leaked / leaking.size);
  const { class_name, owner, size } = leaking;
  return {
    schema: "service-heap-summary/1",
    local_id: `heap-${toTimestamp(at).slice(0, 19).replace("T", "_").replaceAll(":", "-")}`,
    created_at: toTimestamp(at),
    plugin_version: pluginVersion,
    platform: {
      server_type: software.type,
      server_version: software.build ?? software.game_version,
      java_version: software.java_version ?? null,
      service_version: pluginVersion,
    },
    mode: "live",
    heap_used_bytes: Math.round(live + leaked),
    heap_max_bytes: profile.heapMaxMb * mib,
    classes: [...listed, { class_name, owner, plugin: true, objects, bytes: objects * size }],
  };
}

/** The heap six days ago and yesterday; one plugin holds more each time. */
export const memoryReportsOf = (spec: ServerSpec, start: Instant): MemoryReportBody[] => {
  return [report(spec, start - 6 * dayMs, 40), report(spec, start - dayMs, 40 + grownMbADay(spec))];
};

const grownMbADay = ({ profile }: ServerSpec): number => Math.max(24, profile.leakMbPerHour * 24);

/** A report on the owner's request: larger than yesterday's by the growth of a day. */
export const memoryReportTakenAt = (spec: ServerSpec, now: Instant): MemoryReportBody =>
  report(spec, now, 40 + 2 * grownMbADay(spec));
