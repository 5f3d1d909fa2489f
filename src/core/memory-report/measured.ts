import { builtInOwner, builtInOwners } from "../class-owner.ts";
import {
  maxClasses,
  maxOwners,
  type HeapAnalysis,
  type HeapSummary,
  type MemoryDocument,
} from "./document.ts";

export type HeapOwner = HeapAnalysis["owners"][number];

/** One class of one owner; bytes are those its objects take by themselves. */
export interface HeapClass {
  readonly class_name: string;
  owner: string;
  bytes: number;
  objects: number;
}

/** An owner without a name counts as no owner. */
const isGiven = (owner: string | null): owner is string => owner !== null && owner !== "";

/** The owner that the sender gave, else the one of the class name. */
export const ownerName = (named: string | null, className: string | null): string =>
  isGiven(named) ? named : builtInOwner(className ?? "");

/** Bytes or counts together; only a forged document reaches the largest exact integer, and stays there. */
export const plus = (one: number, other: number): number => Math.min(one + other, Number.MAX_SAFE_INTEGER);

export const twoDecimals = (value: number): number => Math.round(value * 100) / 100 + 0;

/** Percent of the whole, at most 100, not rounded; null without a whole. */
export const heapShare = (bytes: number | null, whole: number | null): number | null =>
  bytes === null || whole === null ? null : Math.min(100, (bytes / whole) * 100);

/** The same as it is written, with two decimals. */
export function heapPct(bytes: number | null, whole: number | null): number | null {
  const share = heapShare(bytes, whole);
  return share === null ? null : twoDecimals(share);
}

/** In the order of their names' code units, so that equal values have one order everywhere. */
export const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What the owners' bytes are: an object's own, or all that would go with it. */
export const measureOf = (mode: string | null): "shallow" | "retained" =>
  mode === "full" || mode === "retained" ? "retained" : "shallow";

const sumOfClasses = ({ classes }: MemoryDocument): number =>
  classes.reduce((sum, { bytes }) => plus(sum, bytes), 0);

/**
 * The heap's size, bytes: used after inspection (summary; null where it is not given, for the classes may be chosen
 * ones), reachable (full analysis), shallow of the whole dump (quick and targeted).
 */
export function heapBytesOf(document: MemoryDocument): number | null {
  if (document.schema === "service-heap-analysis/1")
    return document.mode === "full" ? document.totals.reachable_bytes : document.totals.shallow_bytes;
  return document.heap_used_bytes;
}

/**
 * What shares are of, bytes. Classes that outweigh the heap a summary tells of, counted later, are the whole; so are
 * those of a summary that does not tell its heap: among themselves they have shares.
 */
export function wholeOf(document: MemoryDocument): number | null {
  const heap = heapBytesOf(document);
  const isSummary = document.schema === "service-heap-summary/1";
  const whole = isSummary ? Math.max(heap ?? 0, sumOfClasses(document)) : heap;
  return whole === 0 ? null : whole;
}

/** The same where it is the whole heap, so that two can be held against each other; else null. */
export const heapWholeOf = (document: MemoryDocument): number | null =>
  heapBytesOf(document) === null ? null : wholeOf(document);

/** Classes by owner and name: several loaders may have classes of one name, and so may several owners. */
export function classesByOwner({ classes }: MemoryDocument): Map<string, Map<string, HeapClass>> {
  const owners = new Map<string, Map<string, HeapClass>>();
  for (const { class_name, owner: namedOwner, objects, bytes } of classes) {
    const owner = ownerName(namedOwner, class_name);
    const rows = owners.get(owner) ?? new Map<string, HeapClass>();
    owners.set(owner, rows);
    const before = rows.get(class_name);
    if (before === undefined) {
      rows.set(class_name, { class_name, owner, bytes, objects });
      continue;
    }
    before.bytes = plus(before.bytes, bytes);
    before.objects = plus(before.objects, objects);
  }
  return owners;
}

type Sized = Pick<HeapClass, "class_name" | "bytes">;
const bySize = (one: Sized, other: Sized): number =>
  other.bytes - one.bytes || byName(one.class_name, other.class_name);

/** Every class once for each of its owners, largest first. */
export function classesOf(document: MemoryDocument): HeapClass[] {
  const all: HeapClass[] = [];
  for (const rows of classesByOwner(document).values()) for (const row of rows.values()) all.push(row);
  return all.sort((one, other) => bySize(one, other) || byName(one.owner, other.owner));
}

/** Every owner once, largest first, with its classes: those an analysis tells, or by the classes of a summary. */
export function ownersOf(document: MemoryDocument): HeapOwner[] {
  const owners =
    document.schema === "service-heap-analysis/1" ? mergedOwners(document.owners) : summedOwners(document);
  for (const { top_classes } of owners) top_classes.sort(bySize);
  return owners.sort((one, other) => other.bytes - one.bytes || byName(one.owner, other.owner));
}

/** A plugin by the sender's word; the built-in owners are none, whatever it says. */
const isPlugin = (owner: string, saysPlugin: boolean): boolean => saysPlugin && !builtInOwners.has(owner);

function mergedOwners(owners: readonly HeapOwner[]): HeapOwner[] {
  const merged = new Map<string, HeapOwner>();
  for (const { owner: namedOwner, plugin, bytes, objects, top_classes } of owners) {
    const owner = ownerName(namedOwner, null);
    const before = merged.get(owner) ?? { owner, plugin: false, bytes: 0, objects: 0, top_classes: [] };
    merged.set(owner, before);
    before.plugin ||= isPlugin(owner, plugin);
    before.bytes = plus(before.bytes, bytes);
    before.objects = plus(before.objects, objects);
    before.top_classes.push(...top_classes);
  }
  return [...merged.values()];
}

function summedOwners(document: HeapSummary): HeapOwner[] {
  const plugins = new Set<string>();
  for (const { class_name, owner: namedOwner, plugin } of document.classes) {
    const owner = ownerName(namedOwner, class_name);
    if (isPlugin(owner, plugin)) plugins.add(owner);
  }
  return [...classesByOwner(document)].map(([owner, rows]) => {
    const top_classes = [...rows.values()];
    return {
      owner,
      plugin: plugins.has(owner),
      bytes: top_classes.reduce((sum, { bytes }) => plus(sum, bytes), 0),
      objects: top_classes.reduce((sum, { objects }) => plus(sum, objects), 0),
      top_classes,
    };
  });
}

/** Whether no class came with its owner, as in a class histogram: plugins then stand under `other`. */
export const tellsNoOwner = (document: MemoryDocument): boolean =>
  document.schema === "service-heap-summary/1" && document.classes.every(({ owner }) => !isGiven(owner));

/**
 * Whether an owner that is not listed holds nothing. Not so where the sender left owners out or does not say that it
 * did not, of a targeted analysis, and where no class came with its owner.
 */
export function tellsAllOwners(document: MemoryDocument): boolean {
  if (document.schema === "service-heap-summary/1")
    return tellsAllClasses(document) && !tellsNoOwner(document);
  const { mode, owners, owners_complete } = document;
  return mode !== "retained" && owners_complete === true && owners.length < maxOwners;
}

/**
 * Whether a class that is not listed has no objects: of an analysis by the number of classes it counted, of a summary
 * by its word, else where it tells the heap, without which its classes may be chosen ones.
 */
export function tellsAllClasses(document: MemoryDocument): boolean {
  const { length } = document.classes;
  if (length >= maxClasses) return false;
  if (document.schema === "service-heap-summary/1")
    return document.classes_complete ?? document.heap_used_bytes !== null;
  const { classes } = document.totals;
  return classes !== null && length >= classes;
}

/** At most so many bytes an owner of a summary may have in classes that are missing; of an analysis none. */
export function bytesLeftOut(document: MemoryDocument): number {
  if (document.schema === "service-heap-analysis/1" || tellsAllClasses(document)) return 0;
  const left = (document.heap_used_bytes ?? Infinity) - sumOfClasses(document);
  return left < 0 ? Infinity : left;
}
