import { ownSource, type EventRecord } from "../event/server-event.ts";
import type { Instant } from "../time.ts";
import type { SoftwareChange, SoftwareChangeKind } from "./changes.ts";
import type { ReportedChange } from "./reported-software.ts";

/** Entries of one inventory: an update of a modpack changes hundreds of mods. */
export const mostSoftwareEvents = 100;

const titles: Readonly<Record<SoftwareChangeKind, string>> = {
  server_updated: "Server software changed",
  java_changed: "Java changed",
  plugin_updated: "Plugin or mod updated",
  plugin_added: "Plugin or mod added",
  plugin_removed: "Plugin or mod removed",
  setting_changed: "Setting changed",
};

interface SoftwareOccasion {
  readonly serverId: string;
  /** When the service learnt of the changes; `happenedAt` is the time they were true. */
  readonly now: Instant;
  readonly happenedAt: Instant;
  readonly newId: () => string;
}

type Entry = Pick<EventRecord, "type" | "title" | "metadata">;

/** Changes beyond the limit are counted in the last entry. */
export const softwareEvents = (
  changes: readonly SoftwareChange[],
  occasion: SoftwareOccasion,
): EventRecord[] =>
  entriesOf(
    changes.map(({ kind, subject, from, to }) => ({
      type: kind,
      title: titles[kind],
      metadata: { subject, from, to },
    })),
    occasion,
  );

/** For values reported outside of an inventory. */
export const reportedSoftwareEvents = (
  changes: readonly ReportedChange[],
  occasion: SoftwareOccasion,
): EventRecord[] =>
  entriesOf(
    changes.map(({ what, from, to }) => ({
      type: "software_changed",
      title: "Software changed",
      metadata: { what, from, to },
    })),
    occasion,
  );

function entriesOf(
  entries: readonly Entry[],
  { serverId, now, happenedAt, newId }: SoftwareOccasion,
): EventRecord[] {
  const isTooMany = entries.length > mostSoftwareEvents;
  const listed = isTooMany ? entries.slice(0, mostSoftwareEvents - 1) : entries;
  const rest: Entry = {
    type: "software_changed",
    title: "More software changed",
    metadata: { changes: entries.length - listed.length },
  };
  return [...listed, ...(isTooMany ? [rest] : [])].map(({ type, title, metadata }) => ({
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
    happenedAt,
    durationMs: null,
    receivedAt: now,
  }));
}
