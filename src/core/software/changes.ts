import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";
import type { Installed, SoftwareInventory } from "./inventory.ts";
import { WrittenSetting } from "./known-settings.ts";

/** In the order of a list of changes. */
export const SoftwareChangeKind = z.enum([
  "server_updated",
  "java_changed",
  "plugin_updated",
  "plugin_added",
  "plugin_removed",
  "setting_changed",
]);
export type SoftwareChangeKind = z.infer<typeof SoftwareChangeKind>;

/** The types of the timeline's entries about software; `software_changed` counts what has no entry of its own. */
export const softwareEventTypes: readonly string[] = [...SoftwareChangeKind.options, "software_changed"];

export const SoftwareChange = z.object({
  kind: SoftwareChangeKind,
  /** The field of server or Java, the JVM flag, the name of the plugin or mod, the setting, or the file. */
  subject: thirdPartyText(200),
  from: WrittenSetting.nullable(),
  to: WrittenSetting.nullable(),
});
export type SoftwareChange = z.infer<typeof SoftwareChange>;

/** Sorted by kind, subject and values. A value that one of the inventories does not know is no difference. */
export function softwareChanges(
  before: SoftwareInventory | null,
  after: SoftwareInventory,
): SoftwareChange[] {
  if (before === null) return [];
  const { flags: flagsBefore, ...javaBefore } = before.java;
  const { flags: flagsAfter, ...javaAfter } = after.java;
  const found = [
    ...changedFields("server_updated", before.server, after.server),
    ...changedFields("java_changed", javaBefore, javaAfter),
    ...changedFlags(flagsBefore, flagsAfter),
    ...changedInstalled(before.plugins, after.plugins),
    ...changedInstalled(before.mods, after.mods),
    ...changedFields("setting_changed", before.settings, after.settings),
    ...changedFields("setting_changed", digests(before), digests(after)),
  ];
  return found.sort(inOrder);
}

type Fields = Readonly<Record<string, WrittenSetting | null>>;

/** Only values that both know. */
export function changedFields(kind: SoftwareChangeKind, before: Fields, after: Fields): SoftwareChange[] {
  return Object.entries(after).flatMap(([subject, to]) => {
    // Object.hasOwn, because every object has names such as `constructor`.
    const from = Object.hasOwn(before, subject) ? (before[subject] ?? null) : null;
    return from === null || to === null || from === to ? [] : [{ kind, subject, from, to }];
  });
}

/** A file that only one inventory has is no difference. */
const digests = ({ files }: SoftwareInventory): Fields =>
  Object.fromEntries((files ?? []).map(({ file, sha256 }) => [file, sha256]));

/** Compares flags by what they set; their order does not matter. */
export function changedFlags(
  before: readonly string[] | null,
  after: readonly string[] | null,
): SoftwareChange[] {
  if (before === null || after === null) return [];
  const [was, is] = [flagsByName(before), flagsByName(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((subject) => {
    const [from, to] = [was.get(subject) ?? null, is.get(subject) ?? null];
    return from === to ? [] : [{ kind: "java_changed" as const, subject, from, to }];
  });
}

const sized = /^-X(?:m[nsx]|ss)/;
const named = /^-XX:[+-]?([\w.]+)/;

/** Of several flags that set the same, the JVM takes the last. */
const flagsByName = (flags: readonly string[]): ReadonlyMap<string, string> =>
  new Map(flags.map((flag) => [flagName(flag), flag]));

function flagName(flag: string): string {
  const name = named.exec(flag)?.[1];
  return name === undefined ? (sized.exec(flag)?.[0] ?? flag) : `-XX:${name}`;
}

/** Only loaded files count: one that is switched off is removed, one that is switched on is added. */
function changedInstalled(
  before: readonly Installed[] | null,
  after: readonly Installed[] | null,
): SoftwareChange[] {
  if (before === null || after === null) return [];
  const [was, is] = [versionsByName(before), versionsByName(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((subject) =>
    changedVersions(subject, was.get(subject) ?? [], is.get(subject) ?? []),
  );
}

type Version = string | null;

function versionsByName(list: readonly Installed[]): ReadonlyMap<string, Version[]> {
  const found = new Map<string, Version[]>();
  for (const { name, version, enabled } of list) {
    if (!enabled) continue;
    const versions = found.get(name);
    if (versions === undefined) found.set(name, [version]);
    else versions.push(version);
  }
  return found;
}

/** Several files may have the same name: equal versions are the same file, the others pair up. */
function changedVersions(
  subject: string,
  before: readonly Version[],
  after: readonly Version[],
): SoftwareChange[] {
  const [gone, come] = [without(before, after), without(after, before)];
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, index) => {
    const [from, to] = [gone[index], come[index]];
    if (from === undefined) return { kind: "plugin_added" as const, subject, from: null, to: to ?? null };
    if (to === undefined) return { kind: "plugin_removed" as const, subject, from, to: null };
    return { kind: "plugin_updated" as const, subject, from, to };
  }).filter(({ kind, from, to }) => kind !== "plugin_updated" || (from !== null && to !== null));
}

/** The versions of `list` after those in `others` are taken out one by one; sorted, unknown ones last. */
function without(list: readonly Version[], others: readonly Version[]): Version[] {
  const counts = new Map<Version, number>();
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  const left = list.filter((version) => {
    const count = counts.get(version) ?? 0;
    if (count > 0) counts.set(version, count - 1);
    return count === 0;
  });
  return left.sort((a, b) => Number(a === null) - Number(b === null) || byText(a, b));
}

/** Compares code units, so that the order is the same on every machine. */
const byText = (a: WrittenSetting | null, b: WrittenSetting | null): number => {
  const [one, other] = [String(a), String(b)];
  return one < other ? -1 : Number(one > other);
};

const place = new Map(SoftwareChangeKind.options.map((kind, index) => [kind, index]));

const inOrder = (a: SoftwareChange, b: SoftwareChange): number =>
  (place.get(a.kind) ?? 0) - (place.get(b.kind) ?? 0) ||
  byText(a.subject, b.subject) ||
  byText(a.from, b.from) ||
  byText(a.to, b.to);
