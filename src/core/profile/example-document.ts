import type { z } from "zod";
import type { ProfileDocument } from "./document.ts";

/** The profile in the documentation's examples: 1,190 tick samples of a minute with lag. */
export const exampleProfileUpload: z.input<typeof ProfileDocument> = {
  schema: "service-profile/1",
  local_id: "profile-2026-11-20_07-12-03",
  plugin_version: "1.10.2",
  engine: "sampler",
  trigger: "lag",
  created_at: "2026-11-20T07:12:03.000Z",
  capture: {
    window_start: "2026-11-20T07:11:03.000Z",
    window_end: "2026-11-20T07:12:03.000Z",
    window_seconds: 60,
    requested_seconds: 60,
    stack_depth: 64,
  },
  lag: {
    kind: "sustained",
    started_at: "2026-11-20T07:11:40.000Z",
    detected_at: "2026-11-20T07:11:55.000Z",
    slow_ticks: 212,
    longest_tick_ms: 412.6,
  },
  platform: {
    server_type: "paper",
    server_version: "1.21.8-60",
    bukkit_version: "1.21.8-R0.1-SNAPSHOT",
    plugin_count: 24,
    service_version: "1.10.2",
  },
  jvm: {
    java_version: "21.0.4",
    java_vendor: "Eclipse Adoptium",
    vm_name: "OpenJDK 64-Bit Server VM",
    available_processors: 8,
  },
  samples: { tick: 1190, total: 1190, truncated_tick: 0, capped_tick: 0, distinct_stacks: 4 },
  frames: [
    { frame: "net.minecraft.server.MinecraftServer.tickServer" },
    { frame: "net.minecraft.server.level.ServerLevel.tick" },
    { frame: "net.minecraft.world.entity.Mob.serverAiStep" },
    { frame: "example.shop.PriceTask.run", owner: "Shop", plugin: true },
    { frame: "java.util.HashMap.get" },
  ],
  nodes: [
    { parent: -1, frame: 0, samples: 90 },
    { parent: 0, frame: 1, samples: 240 },
    { parent: 1, frame: 2, samples: 410 },
    { parent: 0, frame: 3, samples: 330 },
    { parent: 3, frame: 4, samples: 120 },
  ],
};
