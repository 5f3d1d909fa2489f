import { z } from "zod";
import { codeLength, ownerLength } from "../profile/document.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { listChange, delta } from "./compared-lists.ts";
import { ownerOfPoint } from "./diagnose.ts";
import { maxAccumulationPoints, maxSuspects, type HeapAnalysis, type MemoryDocument } from "./document.ts";
import { isSuspect, type FoundPoint, type FoundSuspect } from "./findings.ts";
import { byName, ownerName, heapPct, heapWholeOf } from "./measured.ts";

const text = (max: number) => thirdPartyText(max).nullable();
const ClassName = thirdPartyText(codeLength);
const Owner = thirdPartyText(ownerLength);
const amount = () => z.int().nullable();
const pct = () => z.number().nullable();

/** A value is null if its side does not report it; the change is then null too. */
const retained = {
  base_retained_bytes: amount(),
  target_retained_bytes: amount(),
  delta_bytes: amount(),
  base_pct: pct(),
  target_pct: pct(),
};
export const SuspectChange = z.object({
  key: thirdPartyText(codeLength),
  kind: z.enum(["single_object", "class_group"]),
  owner: Owner,
  class_name: ClassName,
  ...retained,
});
export const PointChange = z.object({
  key: thirdPartyText(codeLength),
  class_name: ClassName,
  owner: Owner,
  holder_class: text(codeLength),
  holder_field: text(200),
  base_elements: amount(),
  target_elements: amount(),
  ...retained,
});

/** `persisting`: on both sides and about as large. */
const found = <Row extends z.ZodType>(row: Row) =>
  z.object({
    appeared: z.array(row),
    grew: z.array(row),
    shrank: z.array(row),
    resolved: z.array(row),
    persisting: z.array(row),
  });

export const SuspectChanges = found(SuspectChange);
export const PointChanges = found(PointChange);
type Suspects = z.infer<typeof SuspectChanges>;
type Points = z.infer<typeof PointChanges>;

export const comparedFindingsMax = 10;

interface Finding {
  readonly key: string;
  readonly retained_bytes: number;
}

/** `counts`: the row is a finding; `isComplete`: a key that is not listed does not exist. */
interface Findings<Row extends Finding> {
  readonly byKey: ReadonlyMap<string, Row>;
  readonly counts: (row: Row) => boolean;
  readonly isComplete: boolean;
  readonly whole: number | null;
}

interface FindingChange {
  readonly key: string;
  readonly base_retained_bytes: number | null;
  readonly target_retained_bytes: number | null;
  readonly delta_bytes: number | null;
}

interface Lists<Row> {
  appeared: Row[];
  grew: Row[];
  shrank: Row[];
  resolved: Row[];
  persisting: Row[];
}

export const noFindings = <Row>(): Lists<Row> => ({
  appeared: [],
  grew: [],
  shrank: [],
  resolved: [],
  persisting: [],
});

/** Null if the key counts on neither side, or if a cut list may have left it out. */
function listOf<Row extends Finding>(
  key: string,
  base: Findings<Row>,
  target: Findings<Row>,
): keyof Lists<unknown> | null {
  const [before, after] = [base.byKey.get(key), target.byKey.get(key)];
  const counted = before !== undefined && base.counts(before);
  const counts = after !== undefined && target.counts(after);
  if (counted && counts) return listChange(before.retained_bytes, after.retained_bytes) ?? "persisting";
  if (counts) return before !== undefined || base.isComplete ? "appeared" : null;
  if (counted) return after !== undefined || target.isComplete ? "resolved" : null;
  return null;
}

/** Sorts by change, `persisting` rows by size. */
function largestFirst(rows: FindingChange[], list: keyof Lists<unknown>): void {
  const weight = ({ base_retained_bytes: base, target_retained_bytes: target }: FindingChange) =>
    list === "persisting" ? (target ?? 0) : Math.abs((target ?? 0) - (base ?? 0));
  rows.sort((one, other) => weight(other) - weight(one) || byName(one.key, other.key));
}

function compareFindings<Row extends Finding, Change extends FindingChange>(
  base: Findings<Row>,
  target: Findings<Row>,
  change: (base: Row | undefined, target: Row | undefined, row: Row) => Change,
): Lists<Change> {
  const lists = noFindings<Change>();
  for (const key of new Set([...base.byKey.keys(), ...target.byKey.keys()])) {
    const list = listOf(key, base, target);
    const [before, after] = [base.byKey.get(key), target.byKey.get(key)];
    const row = after ?? before;
    if (list !== null && row !== undefined) lists[list].push(change(before, after, row));
  }
  for (const list of ["appeared", "grew", "shrank", "resolved", "persisting"] as const) {
    largestFirst(lists[list], list);
    lists[list] = lists[list].slice(0, comparedFindingsMax);
  }
  return lists;
}

const retainedBy = <Row extends Finding>(
  base: Row | undefined,
  target: Row | undefined,
  wholes: readonly [number | null, number | null],
) => {
  const [before, after] = [base?.retained_bytes ?? null, target?.retained_bytes ?? null];
  return {
    base_retained_bytes: before,
    target_retained_bytes: after,
    delta_bytes: delta(before, after),
    base_pct: heapPct(before, wholes[0]),
    target_pct: heapPct(after, wholes[1]),
  };
};

function findingsOf<Row extends Finding>(
  analysis: HeapAnalysis,
  rows: readonly Row[],
  max: number,
  counts: (row: Row) => boolean,
): Findings<Row> {
  const byKey = new Map<string, Row>();
  for (const row of rows)
    if (row.retained_bytes >= (byKey.get(row.key)?.retained_bytes ?? 0)) byKey.set(row.key, row);
  return { byKey, counts, isComplete: rows.length < max, whole: heapWholeOf(analysis) };
}

const fullAnalysis = (document: MemoryDocument): HeapAnalysis | null =>
  document.schema === "service-heap-analysis/1" && document.mode === "full" ? document : null;

/** Null unless both are full analyses. An unlisted suspect may be small, so its bytes are null, not 0. */
export function comparedSuspects(one: MemoryDocument, other: MemoryDocument): Suspects | null {
  const side = (document: MemoryDocument): Findings<FoundSuspect> | null => {
    const full = fullAnalysis(document);
    if (full === null || full.suspects === null) return null;
    return findingsOf(full, full.suspects, maxSuspects, (row) => isSuspect(row, full));
  };
  const [base, target] = [side(one), side(other)];
  if (base === null || target === null) return null;
  return compareFindings(base, target, (before, after, { key, kind, owner, class_name }) => ({
    key,
    kind,
    owner: ownerName(owner, class_name),
    class_name,
    ...retainedBy(before, after, [base.whole, target.whole]),
  }));
}

/** Null unless both are full analyses. */
export function comparedPoints(one: MemoryDocument, other: MemoryDocument): Points | null {
  const side = (document: MemoryDocument): Findings<FoundPoint> | null => {
    const full = fullAnalysis(document);
    if (full === null || full.accumulation_points === null) return null;
    return findingsOf(full, full.accumulation_points, maxAccumulationPoints, () => true);
  };
  const [base, target] = [side(one), side(other)];
  if (base === null || target === null) return null;
  return compareFindings(base, target, (before, after, row) => ({
    key: row.key,
    class_name: row.class_name,
    owner: ownerOfPoint(row),
    holder_class: row.holder_class,
    holder_field: row.holder_field,
    base_elements: before?.elements ?? null,
    target_elements: after?.elements ?? null,
    ...retainedBy(before, after, [base.whole, target.whole]),
  }));
}
