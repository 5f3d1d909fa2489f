import type { Instant } from "../time.ts";
import type { SoftwareChange, SoftwareChangeKind } from "./changes.ts";
import type { SoftwareInventory } from "./inventory.ts";
import { knownSettings } from "./known-settings.ts";

/** Plugins and mods share one part. */
const parts = {
  server_updated: "server",
  java_changed: "java",
  plugin_updated: "installed",
  plugin_added: "installed",
  plugin_removed: "installed",
  setting_changed: "setting",
} as const satisfies Record<SoftwareChangeKind, string>;
type SoftwarePart = (typeof parts)[SoftwareChangeKind];

export type LastChange = readonly [part: SoftwarePart, subject: string, at: Instant];

/**
 * Adds `changes`, which were found at `now`. Server and Java have one time each, and plugins, mods and files
 * that are gone have none, so that the list is never longer than an inventory.
 */
export function lastChanges(
  before: readonly LastChange[],
  changes: readonly SoftwareChange[],
  { plugins, mods, files }: Pick<SoftwareInventory, "plugins" | "mods" | "files">,
  now: Instant,
): LastChange[] {
  const there = new Set([...(plugins ?? []), ...(mods ?? [])].map(({ name }) => name));
  const settings = new Set([...Object.keys(knownSettings), ...(files ?? []).map(({ file }) => file)]);
  const found = changes.map(({ kind, subject }): LastChange => [parts[kind], subject, now]);
  const known = new Map<string, LastChange>();
  for (const change of [...before, ...found]) {
    const key = keyOf(change);
    if (change[2] >= (known.get(key)?.[2] ?? change[2])) known.set(key, change);
  }
  return [...known.values()].filter(
    ([part, subject]) =>
      (part !== "installed" || there.has(subject)) && (part !== "setting" || settings.has(subject)),
  );
}

const keyOf = ([part, subject]: LastChange): string =>
  part === "server" || part === "java" ? part : `${part} ${subject}`;

/** Null: no change was seen. */
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
