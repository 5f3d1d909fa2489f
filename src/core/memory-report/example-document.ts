import type { z } from "zod";
import type { MemoryDocument } from "./document.ts";

/** A full analysis of a heap in which one plugin keeps every player who left. */
export const exampleMemoryUpload: z.input<typeof MemoryDocument> = {
  schema: "service-heap-analysis/1",
  local_id: "heap-2026-11-20_07-12-03",
  created_at: "2026-11-20T07:12:03.000Z",
  plugin_version: "1.10.2",
  platform: { server_type: "paper", server_version: "1.21.8-60", java_version: "21.0.4" },
  mode: "full",
  requested_mode: "auto",
  dump_id: "dump-2026-11-20_07-11-40",
  storage: "in-memory",
  totals: {
    objects: 9_120_000,
    classes: 21_400,
    shallow_bytes: 4_400_000_000,
    reachable_bytes: 4_200_000_000,
    unreachable_bytes: 200_000_000,
    heap_used_bytes: 4_400_000_000,
    heap_max_bytes: 8_589_934_592,
    gc_roots: 4120,
  },
  owners: [
    {
      owner: "Shop",
      plugin: true,
      bytes: 1_310_000_000,
      objects: 2_010_000,
      top_classes: [{ class_name: "example.shop.Visit", bytes: 960_000_000, objects: 1_500_000 }],
    },
    { owner: "server", plugin: false, bytes: 2_100_000_000, objects: 5_000_000 },
  ],
  owners_complete: true,
  classes: [{ class_name: "example.shop.Visit", owner: "Shop", objects: 1_500_000, bytes: 960_000_000 }],
  suspects: [
    {
      key: "Shop|example.shop.Visits|java.util.HashMap",
      kind: "single_object",
      owner: "Shop",
      class_name: "example.shop.Visits",
      instances: 1,
      shallow_bytes: 48,
      retained_bytes: 1_290_000_000,
      gc_root: { type: "system_class", description: "class example.shop.ShopPlugin" },
      root_path: [
        { class_name: "example.shop.ShopPlugin", owner: "Shop", retained_bytes: 1_300_000_000 },
        {
          class_name: "example.shop.Visits",
          field: "visits",
          owner: "Shop",
          retained_bytes: 1_290_000_000,
        },
      ],
      dominator_chain: [
        {
          class_name: "example.shop.Visits",
          owner: "Shop",
          shallow_bytes: 48,
          retained_bytes: 1_290_000_000,
        },
        {
          class_name: "java.util.HashMap",
          owner: "jvm",
          shallow_bytes: 48,
          retained_bytes: 1_289_000_000,
        },
      ],
      accumulation_key: "example.shop.Visits#byPlayer",
    },
  ],
  accumulation_points: [
    {
      key: "example.shop.Visits#byPlayer",
      class_name: "java.util.HashMap",
      owner: "Shop",
      holder_class: "example.shop.Visits",
      holder_field: "byPlayer",
      elements: 1_500_000,
      element_class: "example.shop.Visit",
      retained_bytes: 1_289_000_000,
    },
  ],
  game_objects: [
    {
      owner: "Shop",
      kind: "player",
      class_name: "org.bukkit.craftbukkit.entity.CraftPlayer",
      held: 412,
      stale: 388,
      retained_bytes: 2_100_000,
    },
  ],
};
