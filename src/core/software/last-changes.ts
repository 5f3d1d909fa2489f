import type { Instant } from "../time.ts";
import type { SoftwareChange, SoftwareChangeKind } from "./changes.ts";
import type { SoftwareInventory } from "./inventory.ts";

/** Where a change belongs in an inventory; plugins and mods stand together. */
const parts = {
  server_updated: "server",
  java_changed: "java",
  plugin_updated: "installed",
  plugin_added: "installed",
  plugin_removed: "installed",
  setting_changed: "setting",
} as const satisfies Record<SoftwareChangeKind, string>;
type SoftwarePart = (typeof parts)[SoftwareChangeKind];

/** When one subject of a part last changed. */
export type LastChange = readonly [part: SoftwarePart, subject: string, at: Instant];

/**
 * The last change of each subject, once `changes` were found at `now`. Plugins and mods that are no longer there are
 * left out, so that the list is never longer than an inventory.
 */
export function lastChanges(
  before: readonly LastChange[],
  changes: readonly SoftwareChange[],
  { plugins, mods }: Pick<SoftwareInventory, "plugins" | "mods">,
  now: Instant,
): LastChange[] {
  const there = new Set([...(plugins ?? []), ...(mods ?? [])].map(({ name }) => name));
  const known = new Map(before.map((change) => [keyOf(change), change]));
  for (const { kind, subject } of changes) {
    const change: LastChange = [parts[kind], subject, now];
    known.set(keyOf(change), change);
  }
  return [...known.values()].filter(([part, subject]) => part !== "installed" || there.has(subject));
}

const keyOf = ([part, subject]: LastChange): string => `${part} ${subject}`;

/** When a subject last changed, or where none is given the newest change of a part; null: not since it is known. */
export function lastChangeOf(changes: readonly LastChange[]) {
  const times = new Map(changes.map((change) => [keyOf(change), change[2]]));
  const newest = new Map<SoftwarePart, Instant>();
  for (const [part, , at] of changes) newest.set(part, Math.max(at, newest.get(part) ?? at));
  return {
    ofSubject: (part: SoftwarePart, subject: string): Instant | null =>
      times.get(keyOf([part, subject, 0])) ?? null,
    ofPart: (part: SoftwarePart): Instant | null => newest.get(part) ?? null,
  };
}
