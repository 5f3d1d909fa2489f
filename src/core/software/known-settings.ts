import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";

/** A value as in the server's files. */
export const WrittenSetting = z.union([thirdPartyText(200), z.number(), z.boolean()]);
export type WrittenSetting = z.infer<typeof WrittenSetting>;

const setting = () => WrittenSetting.nullable().default(null);

/** The server settings that tuning advice looks at; null = unknown. */
export const knownSettings = {
  view_distance: setting(),
  simulation_distance: setting(),
  sync_chunk_writes: setting(),
  max_auto_save_chunks_per_tick: setting(),
  prevent_moving_into_unloaded_chunks: setting(),
  activation_range_monsters: setting(),
  spawn_limit_monsters: setting(),
  max_entity_collisions: setting(),
  tick_inactive_villagers: setting(),
  merge_radius_item: setting(),
  redstone_implementation: setting(),
  hopper_ignore_occluding_blocks: setting(),
  hopper_check_ticks: setting(),
};
export type SettingKey = keyof typeof knownSettings;
