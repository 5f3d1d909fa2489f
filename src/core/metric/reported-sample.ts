import { z } from "zod";
import { orNull } from "../reported.ts";
import { parseInstant } from "../time.ts";
import { IsoInstant } from "../timestamp.ts";
import { schemasOf } from "./fields.ts";
import { worstFirst } from "./worlds.ts";
import { settlePause, type Sample } from "./sample.ts";

const instant = IsoInstant.transform((value) => parseInstant(value) ?? 0);

/** Unknown keys are ignored, missing ones are null; a wrong type or value refuses the body. */
export const ReportedSample = z.object({
  sampled_at: instant,
  paused_since: orNull(instant),
  ...schemasOf("sent"),
});
export type ReportedSample = z.infer<typeof ReportedSample>;

export const SampleBatch = z.object({ samples: z.array(ReportedSample).max(1000) });

/** The sample as it is stored and shown: without its times, pauses settled, the worst region first. */
export function sampleOf(reported: ReportedSample): Sample {
  const { sampled_at: _sampledAt, paused_since: _pausedSince, regions, ...sample } = reported;
  return settlePause({ ...sample, regions: regions && worstFirst(regions) });
}
