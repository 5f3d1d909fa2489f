import { z } from "zod";
import type { BuiltInOwner } from "../class-owner.ts";
import { codeLength, ownerLength } from "../profile/document.ts";
import { ChangeStatus } from "../profile/profile-comparison.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { gameObjectKinds, maxGameObjects, type MemoryDocument } from "./document.ts";
import { gameObjectsOf } from "./findings.ts";
import {
  byName,
  bytesLeftOut,
  classesByOwner,
  ownerName,
  ownersOf,
  heapPct,
  plus,
  heapShare,
  tellsAllClasses,
  tellsAllOwners,
  tellsNoOwner,
  twoDecimals,
  heapWholeOf,
  type HeapClass,
  type HeapOwner,
} from "./measured.ts";

export const comparedOwnersMax = 25;
export const comparedClassesMax = 25;
export const comparedGameObjectsMax = 50;

const Owner = thirdPartyText(ownerLength);
const amount = () => z.int().nullable();
const pct = () => z.number().nullable();

export const OwnerChange = z.object({
  owner: Owner,
  plugin: z.boolean(),
  base_bytes: amount(),
  target_bytes: amount(),
  delta_bytes: amount(),
  base_pct: pct(),
  target_pct: pct(),
  delta_points: z.number().nullable(),
  status: ChangeStatus,
});
export type OwnerChange = z.infer<typeof OwnerChange>;

export const ClassChange = z.object({
  class_name: thirdPartyText(codeLength),
  owner: Owner,
  base_bytes: amount(),
  target_bytes: amount(),
  delta_bytes: amount(),
  base_objects: amount(),
  target_objects: amount(),
  delta_objects: amount(),
});
export type ClassChange = z.infer<typeof ClassChange>;

export const GameObjectChange = z.object({
  owner: Owner,
  kind: z.enum(gameObjectKinds),
  base_held: amount(),
  target_held: amount(),
  delta: amount(),
  stale_delta: amount(),
});
export type GameObjectChange = z.infer<typeof GameObjectChange>;

const unattributed: BuiltInOwner = "other";

/** A smaller change counts as none: 1 MiB, or 5 % of the base if that is more. */
const leastChangeBytes = 1024 * 1024;
const leastChangePct = 5;

/** Null if the change is too small to count. */
export function listChange(base: number, target: number): "grew" | "shrank" | null {
  const least = Math.max(leastChangeBytes, (base * leastChangePct) / 100);
  if (Math.abs(target - base) < least) return null;
  return target > base ? "grew" : "shrank";
}

export const delta = (base: number | null, target: number | null): number | null =>
  base === null || target === null ? null : target - base;

/** The largest possible change if a side is unknown: all that the other side holds. */
const largestChange = (base: number | null, target: number | null): number =>
  Math.abs((target ?? 0) - (base ?? 0));

/** Judges the bytes; the owner's share may have gone the other way. */
function statusOf(base: number | null, target: number | null): OwnerChange["status"] {
  if (base === null || target === null) return "unknown";
  if (base === 0 && target > 0) return "appeared";
  if (base > 0 && target === 0) return "disappeared";
  const change = listChange(base, target);
  if (change === null) return "stable";
  return change === "grew" ? "up" : "down";
}

/** `leftOut`: the most bytes that the owner may have in classes that are not listed. */
interface OwnedBytes {
  readonly listed: number | null;
  readonly leftOut: number;
}

/** Unknown, unless the status is the same whatever the classes that were left out hold. */
function statusWithin(base: OwnedBytes, target: OwnedBytes): OwnerChange["status"] {
  if (base.listed === null || target.listed === null) return "unknown";
  const least = statusOf(base.listed + base.leftOut, target.listed);
  return least === statusOf(base.listed, target.listed + target.leftOut) ? least : "unknown";
}

const keyed = <Row>(rows: readonly Row[], key: (row: Row) => string): Map<string, Row> =>
  new Map(rows.map((row) => [key(row), row]));

const keysOf = (base: ReadonlyMap<string, unknown>, target: ReadonlyMap<string, unknown>): string[] => [
  ...new Set([...target.keys(), ...base.keys()]),
];

/** Biggest change first; the size of a change is null if a side lacks classes. */
export function comparedHeapOwners(
  base: MemoryDocument,
  target: MemoryDocument,
): { owners: OwnerChange[]; owners_truncated: boolean } {
  const side = (document: MemoryDocument) => {
    const rows = keyed(ownersOf(document), ({ owner }) => owner);
    const absent = tellsAllOwners(document) ? 0 : null;
    return { rows, whole: heapWholeOf(document), absent, leftOut: bytesLeftOut(document) };
  };
  const [before, after] = [side(base), side(target)];
  // Without owners, plugins are part of `other`: the two `other` rows cannot be compared.
  if (tellsNoOwner(base) && !tellsNoOwner(target)) before.rows.delete(unattributed);
  if (tellsNoOwner(target) && !tellsNoOwner(base)) after.rows.delete(unattributed);
  const isExact = before.leftOut === 0 && after.leftOut === 0;
  const changes = keysOf(before.rows, after.rows).map((owner): OwnerChange => {
    const rows: (HeapOwner | undefined)[] = [before.rows.get(owner), after.rows.get(owner)];
    const baseBytes = rows[0]?.bytes ?? before.absent;
    const targetBytes = rows[1]?.bytes ?? after.absent;
    const points = delta(heapShare(baseBytes, before.whole), heapShare(targetBytes, after.whole));
    return {
      owner,
      plugin: rows.some((row) => row?.plugin === true),
      base_bytes: baseBytes,
      target_bytes: targetBytes,
      delta_bytes: isExact ? delta(baseBytes, targetBytes) : null,
      base_pct: heapPct(baseBytes, before.whole),
      target_pct: heapPct(targetBytes, after.whole),
      delta_points: isExact && points !== null ? twoDecimals(points) : null,
      status: statusWithin(
        { listed: baseBytes, leftOut: before.leftOut },
        { listed: targetBytes, leftOut: after.leftOut },
      ),
    };
  });
  changes.sort(
    (one, other) =>
      largestChange(other.base_bytes, other.target_bytes) - largestChange(one.base_bytes, one.target_bytes) ||
      byName(one.owner, other.owner),
  );
  return {
    owners: changes.slice(0, comparedOwnersMax),
    owners_truncated: changes.length > comparedOwnersMax,
  };
}

/** By name alone, because one side may lack owners; the owner is the one that has most of the class. */
function classesByName(document: MemoryDocument): Map<string, HeapClass> {
  const merged = new Map<string, HeapClass & { most: number }>();
  for (const rows of classesByOwner(document).values()) {
    for (const { class_name, owner, bytes, objects } of rows.values()) {
      const before = merged.get(class_name);
      if (before === undefined) {
        merged.set(class_name, { class_name, owner, bytes, objects, most: bytes });
        continue;
      }
      if ((before.most - bytes || byName(owner, before.owner)) < 0) {
        before.owner = owner;
        before.most = bytes;
      }
      before.bytes = plus(before.bytes, bytes);
      before.objects = plus(before.objects, objects);
    }
  }
  return merged;
}

/** Most growth first. A class that the base may have left out is sorted as if all of it were growth. */
export function comparedClasses(base: MemoryDocument, target: MemoryDocument): ClassChange[] {
  const before = classesByName(base);
  const absent = tellsAllClasses(base) ? 0 : null;
  const changes: ClassChange[] = [];
  for (const [class_name, { owner, bytes, objects }] of classesByName(target)) {
    const baseBytes = before.get(class_name)?.bytes ?? absent;
    if (bytes <= (baseBytes ?? 0)) continue;
    const baseObjects = before.get(class_name)?.objects ?? absent;
    changes.push({
      class_name,
      owner,
      base_bytes: baseBytes,
      target_bytes: bytes,
      delta_bytes: delta(baseBytes, bytes),
      base_objects: baseObjects,
      target_objects: objects,
      delta_objects: delta(baseObjects, objects),
    });
  }
  const growth = ({ base_bytes, target_bytes }: ClassChange) => largestChange(base_bytes, target_bytes);
  return changes
    .sort((one, other) => growth(other) - growth(one) || byName(one.class_name, other.class_name))
    .slice(0, comparedClassesMax);
}

interface Held {
  readonly owner: string;
  readonly kind: GameObjectChange["kind"];
  readonly held: number;
  readonly stale: number;
}

/** Null if the report does not look for game objects. */
function heldOf(document: MemoryDocument): Map<string, Held> | null {
  const found = gameObjectsOf(document);
  if (found === null) return null;
  const merged = new Map<string, Held>();
  for (const { owner: namedOwner, class_name, kind, held, stale } of found) {
    const owner = ownerName(namedOwner, class_name);
    const key = `${kind} ${owner}`;
    const before = merged.get(key) ?? { held: 0, stale: 0 };
    merged.set(key, { owner, kind, held: plus(before.held, held), stale: plus(before.stale, stale) });
  }
  return merged;
}

/** The number held if none are listed: 0, or null if the list was cut or is about another plugin. */
function absentHeld(document: MemoryDocument, owner: string): 0 | null {
  if (document.schema === "service-heap-summary/1") return null;
  const { mode, targeted_owner, game_objects } = document;
  const isCut = (game_objects?.length ?? 0) >= maxGameObjects;
  return !isCut && (mode === "full" || targeted_owner === owner) ? 0 : null;
}

/** Numbers that changed or may have changed, most gained first; null if a side does not look for them. */
export function comparedGameObjects(base: MemoryDocument, target: MemoryDocument): GameObjectChange[] | null {
  const [before, after] = [heldOf(base), heldOf(target)];
  if (before === null || after === null) return null;
  const changes = keysOf(before, after).flatMap((key): GameObjectChange[] => {
    const [left, right] = [before.get(key), after.get(key)];
    const any = right ?? left;
    if (any === undefined) return [];
    const { owner, kind } = any;
    const [noneBefore, noneAfter] = [absentHeld(base, owner), absentHeld(target, owner)];
    const baseHeld = left?.held ?? noneBefore;
    const targetHeld = right?.held ?? noneAfter;
    const staleDelta = delta(left?.stale ?? noneBefore, right?.stale ?? noneAfter);
    if (baseHeld === targetHeld && staleDelta === 0) return [];
    const change = delta(baseHeld, targetHeld);
    return [
      { owner, kind, base_held: baseHeld, target_held: targetHeld, delta: change, stale_delta: staleDelta },
    ];
  });
  const gain = ({ base_held, target_held }: GameObjectChange) => (target_held ?? 0) - (base_held ?? 0);
  return changes
    .sort(
      (one, other) =>
        gain(other) - gain(one) ||
        (other.stale_delta ?? 0) - (one.stale_delta ?? 0) ||
        byName(one.owner, other.owner) ||
        byName(one.kind, other.kind),
    )
    .slice(0, comparedGameObjectsMax);
}
