import { z } from "zod";
import { Id } from "../id.ts";
import { Sender } from "../server/link-code.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { longestFlag, longestInstalledText, type Installed, type SoftwareInventory } from "./inventory.ts";
import { filled } from "./known-software.ts";
import { knownSettings, WrittenSetting, type SettingKey } from "./known-settings.ts";
import { lastChangeOf, type LastChange } from "./last-changes.ts";
import { nothingReported, type KnownReports } from "./reported-software.ts";

const text = (max: number) => thirdPartyText(max).nullable();
/** Null: no change was seen. */
const changedAt = Timestamp.nullable();

export const InstalledSoftware = z.object({
  name: thirdPartyText(longestInstalledText),
  version: text(longestInstalledText),
  /** False for a file that is not loaded. */
  enabled: z.boolean(),
  changed_at: changedAt,
});
type InstalledSoftware = z.infer<typeof InstalledSoftware>;

const settingKeys = Object.keys(knownSettings) as [SettingKey, ...SettingKey[]];

/** Null is unknown, an empty list is none. */
export const RunningSoftware = z.object({
  server_id: Id,
  /** Since when changes are seen; null: the server has sent no inventory. */
  first_received_at: Timestamp.nullable(),
  received_at: Timestamp.nullable(),
  server: z.object({
    type: text(64),
    name: text(64),
    version: text(64),
    build: text(64),
    changed_at: changedAt,
  }),
  java: z.object({
    version: text(120),
    vendor: text(120),
    flags: z.array(thirdPartyText(longestFlag)).nullable(),
    changed_at: changedAt,
  }),
  sender: z.object({ kind: Sender, version: text(64), changed_at: changedAt }),
  plugins: z.array(InstalledSoftware).nullable(),
  mods: z.array(InstalledSoftware).nullable(),
  /** Known settings only. */
  settings: z.array(z.object({ setting: z.enum(settingKeys), value: WrittenSetting, changed_at: changedAt })),
  /** The watched configuration files, never their text. */
  files: z.array(z.object({ file: thirdPartyText(120), changed_at: changedAt })).nullable(),
});
export type RunningSoftware = z.infer<typeof RunningSoftware>;

export interface KnownSoftware {
  readonly serverId: string;
  readonly sender: Sender;
  readonly reports: KnownReports | null;
  readonly inventory: {
    readonly inventory: SoftwareInventory;
    readonly receivedAt: Instant;
    readonly firstReceivedAt: Instant;
    readonly changes: readonly LastChange[];
  } | null;
}

/** A value of the inventory comes before one reported outside of it. */
export function knownBlocks({ reports, inventory }: KnownSoftware) {
  const reported = reports?.software ?? nothingReported;
  const sent = inventory?.inventory ?? nothingReported;
  return { server: filled(reported.server, sent.server), java: filled(reported.java, sent.java) };
}

const reportedIn = {
  server: ["server_type", "server_name", "game_version", "server_build"],
  java: ["java_version", "java_vendor", "jvm_flag"],
  sender: ["plugin_version"],
} as const;

export function runningSoftware(known: KnownSoftware): RunningSoftware {
  const { serverId, sender, reports, inventory } = known;
  const { server, java } = knownBlocks(known);
  const { ofPart, ofSubject } = lastChangeOf(inventory?.changes ?? []);
  const ofBlock = (block: keyof typeof reportedIn): string | null => {
    const names: readonly string[] = reportedIn[block];
    const times = (reports?.changes ?? []).filter(([what]) => names.includes(what)).map(([, at]) => at);
    const inInventory = block === "sender" ? null : ofPart(block);
    if (inInventory !== null) times.push(inInventory);
    return times.length === 0 ? null : toTimestampOrNull(Math.max(...times));
  };
  const installed = (list: readonly Installed[] | null | undefined): InstalledSoftware[] | null =>
    list?.map(({ name, version, enabled }) => ({
      name,
      version,
      enabled,
      changed_at: toTimestampOrNull(ofSubject("installed", name)),
    })) ?? null;
  const ofSetting = (subject: string) => toTimestampOrNull(ofSubject("setting", subject));
  const sent = inventory?.inventory;
  return {
    server_id: serverId,
    first_received_at: toTimestampOrNull(inventory?.firstReceivedAt ?? null),
    received_at: toTimestampOrNull(inventory?.receivedAt ?? null),
    server: { ...server, changed_at: ofBlock("server") },
    java: { ...java, changed_at: ofBlock("java") },
    sender: {
      kind: sender,
      version: reports?.software.plugin_version ?? null,
      changed_at: ofBlock("sender"),
    },
    plugins: installed(sent?.plugins),
    mods: installed(sent?.mods),
    settings: settingKeys.flatMap((setting) => {
      const value = sent?.settings[setting] ?? null;
      return value === null ? [] : [{ setting, value, changed_at: ofSetting(setting) }];
    }),
    files: sent?.files?.map(({ file }) => ({ file, changed_at: ofSetting(file) })) ?? null,
  };
}
