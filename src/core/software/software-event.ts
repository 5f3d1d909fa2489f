import { ownSource, type EventRecord } from "../event/server-event.ts";
import type { Instant } from "../time.ts";
import type { SoftwareChange, SoftwareChangeKind } from "./changes.ts";
import type { ReportedChange } from "./reported-software.ts";

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

/** In whose timeline an entry stands, and when. */
interface SoftwareOccasion {
  readonly serverId: string;
  /** When the service learnt of the changes, and when they were there. */
  readonly now: Instant;
  readonly happenedAt: Instant;
  readonly newId: () => string;
}

type Entry = Pick<EventRecord, "type" | "title" | "metadata">;

/** The entries for the changes of one inventory; those that are too many are counted in the last one. */
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

/** The entries for what a server reported beside an inventory. */
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
