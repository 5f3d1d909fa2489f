import type { Instant } from "../time.ts";
import { changedFields, changedFlags, type SoftwareChange } from "./changes.ts";
import type { SoftwareInventory } from "./inventory.ts";
import { filled } from "./known-software.ts";

/** Software that a server reports outside of an inventory: when linked, with a heartbeat, in a report. */
export interface ReportedSoftware {
  readonly server: SoftwareInventory["server"];
  readonly java: SoftwareInventory["java"];
  readonly plugin_version: string | null;
}

export const nothingReported: ReportedSoftware = {
  server: { type: null, name: null, version: null, build: null },
  java: { version: null, vendor: null, flags: null },
  plugin_version: null,
};

/** Names of the values in the timeline. */
const names = {
  server: { type: "server_type", name: "server_name", version: "game_version", build: "server_build" },
  java: { version: "java_version", vendor: "java_vendor" },
} as const;
type ReportedValue =
  | (typeof names)["server"][keyof (typeof names)["server"]]
  | (typeof names)["java"][keyof (typeof names)["java"]]
  | "jvm_flag"
  | "plugin_version";

export interface ReportedChange {
  readonly what: ReportedValue;
  readonly from: SoftwareChange["from"];
  readonly to: SoftwareChange["to"];
}

/** `changes` has the time at which each value last changed. */
export interface KnownReports {
  readonly software: ReportedSoftware;
  /** The time of the last report. */
  readonly at: Instant;
  readonly changes: readonly (readonly [what: ReportedValue, at: Instant])[];
}

/** Families are compared in lower case: plugins differ in how they write them. */
const comparable = ({ server, ...rest }: ReportedSoftware): ReportedSoftware => ({
  ...rest,
  server: { ...server, type: server.type?.toLowerCase() ?? null },
});

/**
 * Null if something newer is known. A value that the server's inventory knows is no change here: the
 * inventory reports it.
 */
export function takeReported(
  before: KnownReports | null,
  sent: ReportedSoftware,
  inventory: SoftwareInventory | null,
  at: Instant,
): { readonly known: KnownReports; readonly changes: ReportedChange[] } | null {
  const now = comparable(sent);
  if (before === null) return { known: { software: now, at, changes: [] }, changes: [] };
  if (at < before.at) return null;
  const was = before.software;
  const changes = reportedChanges(was, now).filter(({ what }) => !isInInventory(what, inventory));
  const times = new Map(before.changes);
  for (const { what } of changes) times.set(what, at);
  const software = {
    server: filled(was.server, now.server),
    java: filled(was.java, now.java),
    plugin_version: now.plugin_version ?? was.plugin_version,
  };
  return { known: { software, at, changes: [...times] }, changes };
}

function reportedChanges(was: ReportedSoftware, now: ReportedSoftware): ReportedChange[] {
  const { flags: flagsBefore, ...javaBefore } = was.java;
  const { flags: flagsNow, ...javaNow } = now.java;
  const version = [{ plugin_version: was.plugin_version }, { plugin_version: now.plugin_version }] as const;
  return [
    ...changedFields("server_updated", was.server, now.server).map(named(names.server)),
    ...changedFields("java_changed", javaBefore, javaNow).map(named(names.java)),
    ...changedFlags(flagsBefore, flagsNow).map(named({})),
    ...changedFields("plugin_updated", ...version).map(named({ plugin_version: "plugin_version" })),
  ];
}

/** A subject without a field is a flag. */
const named =
  (fields: Readonly<Record<string, ReportedValue>>) =>
  ({ subject, from, to }: SoftwareChange): ReportedChange => ({
    what: fields[subject] ?? "jvm_flag",
    from,
    to,
  });

function isInInventory(what: ReportedValue, inventory: SoftwareInventory | null): boolean {
  if (inventory === null) return false;
  const { server, java } = inventory;
  const known: Readonly<Record<ReportedValue, unknown>> = {
    server_type: server.type,
    server_name: server.name,
    game_version: server.version,
    server_build: server.build,
    java_version: java.version,
    java_vendor: java.vendor,
    jvm_flag: java.flags,
    plugin_version: null,
  };
  return known[what] !== null;
}
