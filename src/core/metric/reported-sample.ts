import { z } from "zod";
import { orNull } from "../reported.ts";
import { parseInstant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { schemasOf } from "./fields.ts";
import { settlePause, type Sample } from "./sample.ts";

const instant = IsoInstant.transform((value) => parseInstant(value) ?? 0);

/**
 * A sample as a plugin sends it: every field of `current`, plus `sampled_at` and `paused_since` (ISO 8601).
 * Unknown keys are ignored, missing ones are null; a value of a wrong type or out of range refuses the body.
 */
export const ReportedSample = z.object({
  sampled_at: instant,
  paused_since: orNull(instant),
  ...schemasOf("sent"),
});
export type ReportedSample = z.infer<typeof ReportedSample>;

/** Samples as they are sent together. */
export const SampleBatch = z.object({ samples: z.array(ReportedSample).max(1000) });

/** The measurement without its times, pauses settled: what is stored and shown. */
export function sampleOf(reported: ReportedSample): Sample {
  const { sampled_at: _sampledAt, paused_since: _pausedSince, ...sample } = reported;
  return settlePause(sample);
}
