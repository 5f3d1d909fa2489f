import type { Instant } from "../time.ts";
import type { Viewer } from "../viewer.ts";
import { reportComparisonOf, type ReportComparison } from "./compare.ts";
import type { ReportRecord } from "./records.ts";
import { toReportDetail } from "./show.ts";

export function compareRecords(
  { base, other }: { readonly base: ReportRecord; readonly other: ReportRecord },
  viewer: Viewer,
  now: Instant,
): ReportComparison {
  const unsteadyOf = ({ content }: ReportRecord): number | null => content.unsteady_tests ?? null;
  return reportComparisonOf(toReportDetail(base, viewer, now), toReportDetail(other, viewer, now), {
    base: unsteadyOf(base),
    other: unsteadyOf(other),
  });
}
