import { z } from "zod";
import { longestCron } from "../../core/cron.ts";
import { TargetName, TargetNotes } from "../../core/auto-bench/target.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** A comparison before and after needs three runs. */
const mostRuns = 3;

/** The modes that people can choose. */
export const TargetMode = z.enum(["standard", "stresslimit"]);
export const RunsPerJob = z.int().min(1).max(mostRuns);

export const targetInput = {
  name: TargetName,
  benchmark_mode: TargetMode.default("standard"),
  runs_per_job: RunsPerJob.default(1),
  schedule_cron: plainText(longestCron, 1).nullable().default(null),
  enabled: z.boolean().default(true),
  notes: TargetNotes.nullable().default(null),
};
