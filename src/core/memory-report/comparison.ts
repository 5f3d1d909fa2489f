import { z } from "zod";
import { ComparabilityLevel, IssueSeverity } from "../profile/profile-comparison.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { byAge, memoryComparability, MemoryIssueCode, type ComparedReport } from "./comparability.ts";
import {
  ClassChange,
  comparedClasses,
  comparedGameObjects,
  comparedHeapOwners,
  GameObjectChange,
  OwnerChange,
} from "./compared-lists.ts";
import {
  comparedPoints,
  comparedSuspects,
  noFindings,
  PointChanges,
  SuspectChanges,
} from "./compared-findings.ts";
import { twoDecimals } from "./measured.ts";
import { MemoryReport } from "./memory-report.ts";
import { memoryReportTime, toMemoryReport } from "./show.ts";

const amount = () => z.int().nullable();
const shownValue = () => z.union([thirdPartyText(120), z.number(), z.null()]);

/** Deltas are target - base. A value that a side does not report is null, never 0, its status `unknown`. */
export const MemoryComparison = z.object({
  base: MemoryReport,
  target: MemoryReport,
  /** Between two creations or two uploads; null if only one creation is known. */
  elapsed_seconds: z.int().nullable(),
  comparability: z.object({
    level: ComparabilityLevel,
    issues: z.array(
      z.object({ code: MemoryIssueCode, severity: IssueSeverity, base: shownValue(), target: shownValue() }),
    ),
  }),
  total: z.object({
    base_bytes: amount(),
    target_bytes: amount(),
    delta_bytes: amount(),
    delta_percent: z.number().nullable(),
  }),
  owners: z.array(OwnerChange),
  owners_truncated: z.boolean(),
  classes: z.array(ClassChange),
  suspects: SuspectChanges.nullable(),
  accumulation_points: PointChanges.nullable(),
  game_objects: z.array(GameObjectChange).nullable(),
});
export type MemoryComparison = z.infer<typeof MemoryComparison>;

/** Takes the reports in either order. Under a blocking issue only the totals of the rows are shown. */
export function compareMemory(one: ComparedReport, other: ComparedReport, baseUrl: string): MemoryComparison {
  const [base, target] = byAge(one, other);
  const comparability = memoryComparability(base, target);
  return {
    base: toMemoryReport(base.record, baseUrl),
    target: toMemoryReport(target.record, baseUrl),
    elapsed_seconds: elapsedSeconds(base, target),
    comparability,
    total: totalChange(base.record.head.heapBytes, target.record.head.heapBytes),
    ...(comparability.level === "not-comparable" ? nothingListed(base, target) : listed(base, target)),
  };
}

function elapsedSeconds(base: ComparedReport, target: ComparedReport): number | null {
  const sameClock = (base.record.head.createdAt === null) === (target.record.head.createdAt === null);
  const elapsedMs = memoryReportTime(target.record) - memoryReportTime(base.record);
  return sameClock ? Math.round(elapsedMs / 1000) : null;
}

function totalChange(base: number | null, target: number | null): MemoryComparison["total"] {
  const delta = base === null || target === null ? null : target - base;
  return {
    base_bytes: base,
    target_bytes: target,
    delta_bytes: delta,
    delta_percent: delta === null || !base ? null : twoDecimals((delta / base) * 100),
  };
}

type Lists = Pick<
  MemoryComparison,
  "owners" | "owners_truncated" | "classes" | "suspects" | "accumulation_points" | "game_objects"
>;

/** Empty for lists that reports of this kind have, null for lists that they never have. */
function nothingListed(...sides: readonly ComparedReport[]): Lists {
  const all = (...modes: readonly string[]): boolean =>
    sides.every(
      ({ record }) => record.head.kind === "heap-analysis" && modes.includes(record.head.mode ?? ""),
    );
  return {
    owners: [],
    owners_truncated: false,
    classes: [],
    suspects: all("full") ? noFindings() : null,
    accumulation_points: all("full") ? noFindings() : null,
    game_objects: all("full", "retained") ? [] : null,
  };
}

function listed({ document: base }: ComparedReport, { document: target }: ComparedReport): Lists {
  if (base === null || target === null)
    throw new Error("Documents that are missing are no lists to compare.");
  return {
    ...comparedHeapOwners(base, target),
    classes: comparedClasses(base, target),
    suspects: comparedSuspects(base, target),
    accumulation_points: comparedPoints(base, target),
    game_objects: comparedGameObjects(base, target),
  };
}
