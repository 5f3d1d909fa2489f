import { disturbedReason, type MeasuredBy, type RunConditions } from "./conditions.ts";
import type { PayloadTest } from "./payload-test.ts";
import type { ReportPayload } from "./payload.ts";

/** Null if the test does not report it. */
export const witnessed = ({ witnesses }: Pick<PayloadTest, "witnesses">, key: string): number | null =>
  witnesses.find((witness) => witness.key === key)?.actual ?? null;

export const isBusyTest = ({ reason_code, success }: PayloadTest): boolean =>
  reason_code === disturbedReason && !success;

/** Null for a run that says nothing of its conditions, as those of plugins. */
export function runConditions({ measured_by, host, tests }: ReportPayload): RunConditions | null {
  const busy = tests.filter(isBusyTest).map((test) => ({
    test_id: test.test_id,
    other_cpu_percent: witnessed(test, "other_cpu_percent"),
    other_disk_percent: witnessed(test, "other_disk_percent"),
    processor_slowed_percent: witnessed(test, "processor_slowed_percent"),
  }));
  const { other_cpu_percent, cpu_pressure_percent } = host;
  const isUnknown = [measured_by, other_cpu_percent, cpu_pressure_percent].every((each) => each === null);
  if (isUnknown && busy.length === 0) return null;
  return {
    measured_by: measured_by ?? usualMeasure,
    other_cpu_percent,
    cpu_pressure_percent,
    busy_tests: busy,
  };
}

/** That of a run which does not say how it measured. */
const usualMeasure: MeasuredBy = "wall_time";

export const measuredBy = ({ conditions }: { readonly conditions: RunConditions | null }): MeasuredBy =>
  conditions?.measured_by ?? usualMeasure;
