import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";

/** Figures by CPU time come from a machine that was in use meanwhile, on purpose. */
export const MeasuredBy = z.enum(["wall_time", "cpu_time"]);
export type MeasuredBy = z.infer<typeof MeasuredBy>;

/** The `reason_code` of a test during which other programs used the machine: its figures are not judged. */
export const disturbedReason = "machine_busy";

/** More than this part of a core, or of a disk's work, by other programs disturbs a test, percent. */
export const othersDisturbFrom = 10;

const percent = z.number().nullable();

/** Under which conditions a run measured. Percentages are null if the run did not report them. */
export const RunConditions = z.object({
  /** Runs that were measured in different ways are not comparable. */
  measured_by: MeasuredBy,
  /** CPU time of other programs over the run, in percent of one core. */
  other_cpu_percent: percent,
  /** Share of the run in which some program waited for a processor. */
  cpu_pressure_percent: percent,
  /** Tests that other programs disturbed: in percent of one core, and of the work of the test's disk. */
  busy_tests: z.array(
    z.object({ test_id: thirdPartyText(64), other_cpu_percent: percent, other_disk_percent: percent }),
  ),
});
export type RunConditions = z.infer<typeof RunConditions>;
