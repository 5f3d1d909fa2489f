import { cancelJob } from "../../../services/auto-bench/change-job.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { AutoBenchJob, toJob } from "../../../core/auto-bench/job.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleJob } from "../../../core/auto-bench/example-auto-bench.ts";

export const cancelAutoBenchJob = defineEndpoint({
  id: "auto_bench_jobs.cancel",
  method: "POST",
  path: "/auto-bench/jobs/{id}/cancel",
  params: { id: "job_id" },
  access: { face: "api", scope: "auto-bench:write", plan: "auto-bench" },
  summary: "Ask a job to stop: cancelled means asked, not stopped yet; a job that is over does not change.",
  input: z.strictObject({ job_id: resourceIdInput() }),
  output: z.object({ cancelled: z.boolean(), job: AutoBenchJob }),
  errors: ["not_found", "internal_target"],
  idempotent: true,
  example: {
    input: { job_id: exampleJob.id },
    output: { cancelled: true, job: { ...exampleJob, status: "cancelling", cancel_requested: true } },
  },

  async handle({ job_id }, { db, caller, now, fail, found }) {
    const result = await db.write(cancelJob, job_id, caller.account.id, now);
    if (result.kind === "internal_target")
      return fail(
        "internal_target",
        "The target of this job belongs to the operator, and only the operator can stop the job.",
      );
    const job = found("job" in result ? result.job : null);
    return { cancelled: result.kind === "asked", job: toJob(job) };
  },
});
