import { launchJob } from "../../../services/auto-bench/launch-job.ts";
import { z } from "zod";
import { defineEndpoint, queued } from "../../../contract/endpoint/endpoint.ts";
import { JobStatus } from "../../../core/auto-bench/job.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleJob } from "../../../core/auto-bench/example-auto-bench.ts";

export const runAutoBenchNow = defineEndpoint({
  id: "auto_bench_targets.run_now",
  method: "POST",
  path: "/auto-bench/targets/{id}/run-now",
  params: { id: "target_id" },
  access: { face: "api", scope: "auto-bench:write", plan: "auto-bench" },
  summary: "Queue a job of a target; it runs later. The job list with its target_id shows its progress.",
  input: z.strictObject({ target_id: resourceIdInput() }),
  output: z.object({ job_id: Id, target_id: Id, status: JobStatus }),
  success: [202],
  errors: ["not_found", "internal_target", "already_running", "cooldown", "daily_run_quota_exceeded"],
  example: {
    input: { target_id: exampleJob.target_id },
    output: { job_id: exampleJob.id, target_id: exampleJob.target_id, status: "queued" },
  },

  async handle({ target_id }, { db, caller, now, secrets, fail, found }) {
    const result = await db.write(launchJob, {
      targetId: target_id,
      accountId: caller.account.id,
      trigger: "run_now",
      limitsOf: () => caller.limits,
      jobId: secrets.newId(now),
      nonce: secrets.newNonce(),
      now,
    });
    const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
    switch (result.kind) {
      case "internal_target":
        return fail(
          "internal_target",
          "This target belongs to the operator, and only the operator can launch it.",
        );
      case "already_running":
        return fail(
          "already_running",
          "A job of this target is in progress, or is being cancelled. Wait for its end, or cancel it.",
          { job_id: result.jobId },
        );
      case "cooldown": {
        const wait = seconds(result.waitMs);
        return fail(
          "cooldown",
          `Two launches of a target must be at least 60 seconds apart. Wait ${wait}.`,
          {},
          wait,
        );
      }
      case "daily_run_quota_exceeded": {
        const { limit, left, waitMs } = result;
        const message = `The plan has ${limit} auto-bench runs in 24 hours, and ${left} are left, but a job of this target needs more. Wait until earlier runs are 24 hours old.`;
        return fail(
          "daily_run_quota_exceeded",
          message,
          { limit },
          waitMs === null ? daySeconds : seconds(waitMs),
        );
      }
      case "queued":
        return queued({ job_id: result.job.id, target_id, status: result.job.status });
      default:
        return found(null);
    }
  },
});

/** The Retry-After if waiting does not help. */
const daySeconds = 24 * 60 * 60;
