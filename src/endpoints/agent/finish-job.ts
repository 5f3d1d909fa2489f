import { recordFinish } from "../../services/auto-bench/change-job.ts";
import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint/endpoint.ts";
import { longestErrorCode } from "../../core/auto-bench/job.ts";
import { Id, resourceIdInput } from "../../core/id.ts";
import { plainText } from "../../core/text/third-party-text.ts";

const Outcome = z.enum(["succeeded", "failed", "cancelled"]);

export const finishJob = defineEndpoint({
  id: "agent_jobs.finish",
  method: "POST",
  path: "/jobs/{id}/finish",
  params: { id: "job_id" },
  access: { face: "agent", credential: "runner" },
  summary:
    "Report how the job ended: succeeded needs a report for every run, cancelled needs a request to stop or the error_code server_busy or machine_busy.",
  input: z.object({
    job_id: resourceIdInput(),
    nonce: plainText(128),
    outcome: Outcome,
    error_code: plainText(longestErrorCode).nullish(),
  }),
  output: z.object({ id: Id, status: Outcome }),
  errors: ["not_found", "invalid_state"],
  idempotent: true,
  example: {
    input: {
      job_id: "019a9f5e-1d00-7000-8000-000000000081",
      nonce: "b3J0SGVyZUlzTm9TZWNyZXRJblRoaXM0",
      outcome: "succeeded",
    },
    output: { id: "019a9f5e-1d00-7000-8000-000000000081", status: "succeeded" },
  },

  async handle({ job_id, nonce, outcome, error_code }, { db, caller, now, fail, found }) {
    const ended = await db.write(
      recordFinish,
      { jobId: job_id, runnerId: caller.runner.id, nonce, now },
      { outcome, errorCode: error_code || null },
    );
    if (found(ended) === "refused") {
      return fail(
        "invalid_state",
        "The job is over, has fewer reports than runs, or was not requested to stop. Send a heartbeat of the job to see which.",
      );
    }
    return { id: job_id, status: outcome };
  },
});
