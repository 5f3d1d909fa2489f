import { recordProgress } from "../../services/auto-bench/change-job.ts";
import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { JobStage } from "../../core/auto-bench/job.ts";
import { resourceIdInput } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";

export const sendJobHeartbeat = defineEndpoint({
  id: "agent_jobs.heartbeat",
  method: "POST",
  path: "/jobs/{id}/heartbeat",
  params: { id: "job_id" },
  access: { face: "agent", credential: "runner" },
  summary:
    "Report every 15 seconds that the job goes on, with its progress; the answer says whether to stop.",
  input: z.object({
    job_id: resourceIdInput(),
    nonce: plainText(128),
    percent: z.number().min(0).max(100).nullish(),
    stage: JobStage.nullish(),
    run_index: z.int().min(1).max(3).nullish(),
  }),
  output: z.object({ shouldStop: z.boolean(), reports: z.int() }),
  errors: ["not_found"],
  idempotent: true,
  example: {
    input: {
      job_id: "019a9f5e-1d00-7000-8000-000000000081",
      nonce: "b3J0SGVyZUlzTm9TZWNyZXRJblRoaXM0",
      percent: 40,
      stage: "running_tests",
      run_index: 2,
    },
    output: { shouldStop: false, reports: 1 },
  },

  async handle({ job_id, nonce, percent, stage, run_index }, { db, caller, now, found }) {
    const heard = await db.writeRelaxed(
      recordProgress,
      { jobId: job_id, runnerId: caller.runner.id, nonce, now },
      { percent: percent ?? null, stage: stage ?? null, runIndex: run_index ?? null },
    );
    const { stop, reports } = found(heard);
    return { shouldStop: stop, reports };
  },
});
