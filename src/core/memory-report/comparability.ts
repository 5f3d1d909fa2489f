import { z } from "zod";
import type { ComparabilityLevel, IssueSeverity } from "../profile/profile-comparison.ts";
import type { HeapAnalysis, MemoryDocument } from "./document.ts";
import { byName, measureOf, ownersOf, tellsAllOwners, heapWholeOf } from "./measured.ts";
import { memoryReportTime } from "./show.ts";
import type { MemoryReportRecord } from "./records.ts";

/** `document` is null when the stored one cannot be read. */
export interface ComparedReport {
  readonly record: MemoryReportRecord;
  readonly document: MemoryDocument | null;
}

export const MemoryIssueCode = z.enum([
  "same-report",
  "document-missing",
  "kind-differs",
  "measure-differs",
  "targeted-owner-differs",
  "same-dump",
  "scope-differs",
  "mode-differs",
  "heap-max-differs",
  "denominator-missing",
  "server-version-differs",
  "java-version-differs",
  "service-version-differs",
  "plugins-differ",
  "owners-incomplete",
  "fallback-ran",
]);

type Known = string | number | null;
type Severity = z.infer<typeof IssueSeverity>;

interface Issue {
  readonly code: z.infer<typeof MemoryIssueCode>;
  readonly severity: Severity;
  readonly base: Known;
  readonly target: Known;
}

/** The functions read a side's value (undefined: no issue), and say whether both values are an issue. */
type Rule = readonly [
  Issue["code"],
  Severity,
  (side: ComparedReport, other: ComparedReport) => Known | undefined,
  (base: Known, target: Known) => boolean,
];

/** The older report first: by creation, or by upload if that is unknown; then by id. */
export function byAge(
  one: ComparedReport,
  other: ComparedReport,
): readonly [base: ComparedReport, target: ComparedReport] {
  const order =
    memoryReportTime(one.record) - memoryReportTime(other.record) || byName(one.record.id, other.record.id);
  return order <= 0 ? [one, other] : [other, one];
}

const equal = (base: Known, target: Known) => base !== null && base === target;
const differ = (base: Known, target: Known) => base !== null && target !== null && base !== target;
const eitherKnown = (base: Known, target: Known) => base !== null || target !== null;
const eitherUnknown = (base: Known, target: Known) => base === null || target === null;

/** A share of the larger limit. */
const heapMaxTolerance = 0.02;
const farApart = (base: Known, target: Known) =>
  typeof base === "number" &&
  typeof target === "number" &&
  Math.abs(base - target) > heapMaxTolerance * Math.max(base, target);

const analysisOf = ({ document }: ComparedReport): HeapAnalysis | null =>
  document?.schema === "service-heap-analysis/1" ? document : null;

const measureIfAnalysis = ({ record: { head } }: ComparedReport) =>
  head.kind === "heap-analysis" ? measureOf(head.mode) : null;

const heapMaxOf = ({ document }: ComparedReport): number | null => {
  if (document === null) return null;
  return document.schema === "service-heap-summary/1"
    ? document.heap_max_bytes
    : document.totals.heap_max_bytes;
};

/** The number of plugins that only this side has; null unless both sides list theirs. */
function ownPlugins({ document }: ComparedReport, { document: other }: ComparedReport): number | null {
  const [here, there] = [document?.platform.plugins, other?.platform.plugins];
  if (!here || !there) return null;
  const known = new Set(there);
  return new Set(here.filter((plugin) => !known.has(plugin))).size;
}

/** The number of owners in a list that may be incomplete; null for a complete list. */
const incompleteOwners = ({ document }: ComparedReport): number | null =>
  document === null || tellsAllOwners(document) ? null : ownersOf(document).length;

const rules: readonly Rule[] = [
  ["same-report", "blocking", ({ record }) => record.id, equal],
  ["document-missing", "blocking", ({ document }) => document?.schema ?? null, eitherUnknown],
  ["kind-differs", "blocking", ({ record }) => record.head.kind, differ],
  ["measure-differs", "blocking", measureIfAnalysis, differ],
  [
    "targeted-owner-differs",
    "blocking",
    (side) => (side.record.head.mode === "retained" ? analysisOf(side)?.targeted_owner || null : null),
    differ,
  ],
  ["same-dump", "blocking", (side) => analysisOf(side)?.dump_id ?? null, equal],
  [
    "scope-differs",
    "caution",
    ({ record: { head } }) => (head.kind === "heap-summary" ? head.mode : null),
    differ,
  ],
  [
    "mode-differs",
    "caution",
    (side) => (measureIfAnalysis(side) === "retained" ? side.record.head.mode : null),
    differ,
  ],
  ["heap-max-differs", "caution", heapMaxOf, farApart],
  [
    "denominator-missing",
    "caution",
    ({ document }) => (document === null ? undefined : heapWholeOf(document)),
    eitherUnknown,
  ],
  ["server-version-differs", "info", ({ document }) => document?.platform.server_version ?? null, differ],
  ["java-version-differs", "info", ({ document }) => document?.platform.java_version ?? null, differ],
  ["service-version-differs", "info", ({ document }) => document?.platform.service_version ?? null, differ],
  ["plugins-differ", "info", ownPlugins, (base, target) => Number(base) + Number(target) > 0],
  ["owners-incomplete", "info", incompleteOwners, eitherKnown],
  ["fallback-ran", "info", ({ record }) => record.head.fallbackReason, eitherKnown],
];

const levels = { info: "comparable", caution: "caution", blocking: "not-comparable" } as const;

/** Lists the issues in a fixed order; the worst severity is the level. */
export function memoryComparability(
  base: ComparedReport,
  target: ComparedReport,
): { level: z.infer<typeof ComparabilityLevel>; issues: Issue[] } {
  const issues = rules.flatMap(([code, severity, read, isIssue]) => {
    const [left, right] = [read(base, target), read(target, base)];
    if (left === undefined || right === undefined) return [];
    return isIssue(left, right) ? [{ code, severity, base: left, target: right }] : [];
  });
  const worst = (["blocking", "caution"] as const).find((severity) =>
    issues.some((issue) => issue.severity === severity),
  );
  return { level: levels[worst ?? "info"], issues };
}
