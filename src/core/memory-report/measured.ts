import { builtInOwner, builtInOwners } from "../class-owner.ts";
import {
  maxClasses,
  maxOwners,
  type HeapAnalysis,
  type HeapSummary,
  type MemoryDocument,
} from "./document.ts";

export type HeapOwner = HeapAnalysis["owners"][number];

/** `bytes` are shallow: of the objects themselves. */
export interface HeapClass {
  readonly class_name: string;
  owner: string;
  bytes: number;
  objects: number;
}

/** An empty name counts as no owner. */
const isGiven = (owner: string | null): owner is string => owner !== null && owner !== "";

export const ownerName = (named: string | null, className: string | null): string =>
  isGiven(named) ? named : builtInOwner(className ?? "");

/** Stops at the largest exact integer, which only a forged document reaches. */
export const plus = (one: number, other: number): number => Math.min(one + other, Number.MAX_SAFE_INTEGER);

export const twoDecimals = (value: number): number => Math.round(value * 100) / 100 + 0;

/** Percent of the whole, at most 100, not rounded; null without a whole. */
export const heapShare = (bytes: number | null, whole: number | null): number | null =>
  bytes === null || whole === null ? null : Math.min(100, (bytes / whole) * 100);

/** Percent as answers show it, with two decimals. */
export function heapPct(bytes: number | null, whole: number | null): number | null {
  const share = heapShare(bytes, whole);
  return share === null ? null : twoDecimals(share);
}

/** Compares code units, so that the order is the same on every machine. */
export const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** `shallow`: an object's own bytes; `retained`: all bytes that would be freed with it. */
export const measureOf = (mode: string | null): "shallow" | "retained" =>
  mode === "full" || mode === "retained" ? "retained" : "shallow";

const sumOfClasses = ({ classes }: MemoryDocument): number =>
  classes.reduce((sum, { bytes }) => plus(sum, bytes), 0);

/** Bytes; null for a summary without heap used, because its classes may be a selection. */
export function heapBytesOf(document: MemoryDocument): number | null {
  if (document.schema === "service-heap-analysis/1")
    return document.mode === "full" ? document.totals.reachable_bytes : document.totals.shallow_bytes;
  return document.heap_used_bytes;
}

/** The bytes that shares refer to; of a summary at least the sum of its classes, which are counted later. */
export function wholeOf(document: MemoryDocument): number | null {
  const heap = heapBytesOf(document);
  const isSummary = document.schema === "service-heap-summary/1";
  const whole = isSummary ? Math.max(heap ?? 0, sumOfClasses(document)) : heap;
  return whole === 0 ? null : whole;
}

/** Null if the heap is unknown: then two reports cannot be compared by shares. */
export const heapWholeOf = (document: MemoryDocument): number | null =>
  heapBytesOf(document) === null ? null : wholeOf(document);

/** Merges classes of one owner and name, since several class loaders may have classes of one name. */
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

/** Each class once for each of its owners, largest first. */
export function classesOf(document: MemoryDocument): HeapClass[] {
  const all: HeapClass[] = [];
  for (const rows of classesByOwner(document).values()) for (const row of rows.values()) all.push(row);
  return all.sort((one, other) => bySize(one, other) || byName(one.owner, other.owner));
}

/** Largest first: the owners that an analysis reports, or those of a summary's classes. */
export function ownersOf(document: MemoryDocument): HeapOwner[] {
  const owners =
    document.schema === "service-heap-analysis/1" ? mergedOwners(document.owners) : summedOwners(document);
  for (const { top_classes } of owners) top_classes.sort(bySize);
  return owners.sort((one, other) => other.bytes - one.bytes || byName(one.owner, other.owner));
}

/** Built-in owners are never plugins, whatever the sender says. */
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

/** True for a class histogram without owners: its plugins are part of `other`. */
export const tellsNoOwner = (document: MemoryDocument): boolean =>
  document.schema === "service-heap-summary/1" && document.classes.every(({ owner }) => !isGiven(owner));

/** Whether an owner that is not listed holds nothing: not if the sender may have left some out. */
export function tellsAllOwners(document: MemoryDocument): boolean {
  if (document.schema === "service-heap-summary/1")
    return tellsAllClasses(document) && !tellsNoOwner(document);
  const { mode, owners, owners_complete } = document;
  return mode !== "retained" && owners_complete === true && owners.length < maxOwners;
}

/** Whether a class that is not listed has no objects. A summary without its heap may be a selection. */
export function tellsAllClasses(document: MemoryDocument): boolean {
  const { length } = document.classes;
  if (length >= maxClasses) return false;
  if (document.schema === "service-heap-summary/1")
    return document.classes_complete ?? document.heap_used_bytes !== null;
  const { classes } = document.totals;
  return classes !== null && length >= classes;
}

/** The most bytes an owner may have in missing classes: Infinity if unknown, 0 for an analysis. */
export function bytesLeftOut(document: MemoryDocument): number {
  if (document.schema === "service-heap-analysis/1" || tellsAllClasses(document)) return 0;
  const left = (document.heap_used_bytes ?? Infinity) - sumOfClasses(document);
  return left < 0 ? Infinity : left;
}
