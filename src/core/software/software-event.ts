import { ownSource, type EventRecord } from "../event/server-event.ts";
import type { Instant } from "../time.ts";
import type { SoftwareChange, SoftwareChangeKind } from "./changes.ts";

/** The most entries that one inventory leaves in a timeline: an update of a modpack changes hundreds of mods. */
export const mostSoftwareEvents = 100;

const titles: Readonly<Record<SoftwareChangeKind, string>> = {
  server_updated: "Server software changed",
  java_changed: "Java changed",
  plugin_updated: "Plugin or mod updated",
  plugin_added: "Plugin or mod added",
  plugin_removed: "Plugin or mod removed",
  setting_changed: "Setting changed",
};

/** The entries for the changes of one inventory; those that are too many are counted in the last one. */
export function softwareEvents(
  changes: readonly SoftwareChange[],
  {
    serverId,
    now,
    newId,
  }: { readonly serverId: string; readonly now: Instant; readonly newId: () => string },
): EventRecord[] {
  const entry = (type: string, title: string, metadata: unknown): EventRecord => ({
    id: newId(),
    serverId,
    localId: null,
    type,
    category: "custom",
    source: ownSource,
    severity: "info",
    title,
    description: null,
    metadata,
    happenedAt: now,
    durationMs: null,
    receivedAt: now,
  });
  const isTooMany = changes.length > mostSoftwareEvents;
  const listed = isTooMany ? changes.slice(0, mostSoftwareEvents - 1) : changes;
  const events = listed.map(({ kind, subject, from, to }) =>
    entry(kind, titles[kind], { subject, from, to }),
  );
  const left = changes.length - listed.length;
  return isTooMany
    ? [...events, entry("software_changed", "More software changed", { changes: left })]
    : events;
}
