import { z } from "zod";
import { ShownContextValue, type ContextValue } from "../context.ts";
import type { Run } from "./run.ts";
import { mixedFields, type Difference } from "./sides.ts";
import { testsBehind, type MetricTarget } from "./targets.ts";
import { beforeAfterThresholds } from "./thresholds.ts";

/** The first eleven are found before the statistic, the last four by it. */
export const RefusalCode = z.enum([
  "too_few_runs",
  "unscored_mode",
  "mixed_benchmark_mode",
  "mixed_algorithm_version",
  "different_servers",
  "different_hardware",
  "undeclared_change",
  "target_not_measured",
  "unreliable_run",
  "order_inconsistent",
  "mixed_within_side",
  "runs_too_spread",
  "shift_within_tie_band",
  "gap_too_small",
  "runs_overlap",
]);
type RefusalCode = z.infer<typeof RefusalCode>;

/** `field` is the context field, or the test of an unreliable run; null if the code needs none. */
export const VerdictRefusal = z.object({
  code: RefusalCode,
  field: z.string().nullable(),
  before: ShownContextValue,
  after: ShownContextValue,
});
export type VerdictRefusal = z.infer<typeof VerdictRefusal>;

export const verdictRefusal = (
  code: RefusalCode,
  field: string | null = null,
  before: ContextValue = null,
  after: ContextValue = null,
): VerdictRefusal => ({ code, field, before, after });

const hardwareFields: ReadonlySet<string> = new Set(["cpu_name", "cpu_cores", "cpu_threads", "ram_gb"]);

const severalIn = (values: readonly (string | null)[]): boolean =>
  new Set(values.filter((value) => value !== null)).size > 1;

const isPositive = (score: number | null): boolean => score !== null && score > 0;

function unreliableTests(runs: readonly Run[], { metric }: MetricTarget): string[] {
  const found = new Set(runs.flatMap((run) => run.unreliableTests));
  return testsBehind[metric].filter((test) => found.has(test));
}

/** All objections, in the order of the codes; the order of the runs does not matter. */
export function refusalsBefore(
  before: readonly Run[],
  after: readonly Run[],
  target: MetricTarget,
  found: readonly Difference[],
): VerdictRefusal[] {
  const runs = [...before, ...after];
  const when = (condition: boolean, code: RefusalCode): VerdictRefusal[] =>
    condition ? [verdictRefusal(code)] : [];
  const blocking = (code: RefusalCode, isHardware: boolean): VerdictRefusal[] =>
    found
      .filter(({ field, blocking }) => blocking && hardwareFields.has(field) === isHardware)
      .map((difference) => verdictRefusal(code, difference.field, difference.before, difference.after));
  const lastBefore = Math.max(...before.map(({ finishedAt }) => finishedAt));
  const firstAfter = Math.min(...after.map(({ finishedAt }) => finishedAt));
  return [
    ...when(Math.min(before.length, after.length) < beforeAfterThresholds.runs_per_side, "too_few_runs"),
    ...when(
      runs.some(({ mode }) => mode === "custom"),
      "unscored_mode",
    ),
    ...when(severalIn(runs.map(({ mode }) => mode)), "mixed_benchmark_mode"),
    ...when(severalIn(runs.map(({ algorithmVersion }) => algorithmVersion)), "mixed_algorithm_version"),
    ...when(severalIn(runs.map(({ serverId }) => serverId)), "different_servers"),
    ...blocking("different_hardware", true),
    ...blocking("undeclared_change", false),
    ...when(!runs.every(({ scores }) => isPositive(scores[target.metric])), "target_not_measured"),
    ...unreliableTests(runs, target).map((test) => verdictRefusal("unreliable_run", test)),
    ...when(firstAfter <= lastBefore, "order_inconsistent"),
    ...mixedFields(before, after).map((field) => verdictRefusal("mixed_within_side", field)),
  ];
}
