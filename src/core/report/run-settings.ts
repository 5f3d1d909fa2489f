import { z } from "zod";
import { knownSettings, WrittenSetting, type SettingKey } from "../software/known-settings.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { shownOption } from "./context.ts";
import type { ReportPayload } from "./payload.ts";

const settingKeys = Object.keys(knownSettings) as [SettingKey, ...SettingKey[]];

/** What a run was made with, as it was sent. Null is unknown; sizes in MB. */
export const RunSettings = z.object({
  heap_max_mb: z.int().nullable(),
  heap_initial_mb: z.int().nullable(),
  /** In the order in which they were sent. Others than the owner see only the names of options that may hold something private. */
  jvm_flags: z.array(thirdPartyText(200)).nullable(),
  /** Known settings that were sent. */
  server_settings: z.array(z.object({ setting: z.enum(settingKeys), value: WrittenSetting })),
});
export type RunSettings = z.infer<typeof RunSettings>;

/** `isOwner`: the viewer wrote the report, or has its verified server. */
export function runSettings({ jvm, config }: ReportPayload, isOwner: boolean): RunSettings {
  return {
    heap_max_mb: jvm.heap_max_mb,
    heap_initial_mb: jvm.heap_initial_mb,
    jvm_flags: jvm.flags && (isOwner ? jvm.flags : jvm.flags.map(shownOption)),
    server_settings: settingKeys.flatMap((setting) => {
      const value = config[setting];
      return value === null ? [] : [{ setting, value }];
    }),
  };
}
