import { z } from "zod";
import { thirdPartyText } from "../text/third-party-text.ts";

/** Figures by CPU time come from a machine that was in use meanwhile, on purpose. */
export const MeasuredBy = z.enum(["wall_time", "cpu_time"]);
export type MeasuredBy = z.infer<typeof MeasuredBy>;

/** The `reason_code` of a test during which others used the machine or slowed its processor: it is not judged. */
export const disturbedReason = "machine_busy";

/** More than this part of a core, or of a disk's work, by other programs disturbs a test, percent. */
export const othersDisturbFrom = 10;

/**
 * A core that works alone is at least as quick in a second of CPU time as each of many, which share clocks and caches.
 * If it is slower by more than this, percent, others slowed the processor meanwhile; quiet runs showed less than 1.
 */
export const slowedFrom = 5;

const percent = z.number().nullable();

/** Under which conditions a run measured. Percentages are null if the run did not report them. */
export const RunConditions = z.object({
  /** Runs that were measured in different ways are not comparable. */
  measured_by: MeasuredBy,
  /** CPU time of other programs over the run, in percent of one core. */
  other_cpu_percent: percent,
  /** Share of the run in which some program waited for a processor. */
  cpu_pressure_percent: percent,
  /**
   * Tests that others disturbed: programs, in percent of one core and of the work of the test's disk, or the host's
   * other guests, by how many percent one core alone was slower than each of all at once.
   */
  busy_tests: z.array(
    z.object({
      test_id: thirdPartyText(64),
      other_cpu_percent: percent,
      other_disk_percent: percent,
      processor_slowed_percent: percent,
    }),
  ),
});
export type RunConditions = z.infer<typeof RunConditions>;
