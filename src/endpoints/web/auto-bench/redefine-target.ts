import { changeTarget } from "../../../services/auto-bench/change-target.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { exampleIdleTarget } from "../../../core/auto-bench/example-auto-bench.ts";
import { scheduleProblem, scheduleQuotaProblem } from "../../../core/auto-bench/schedule.ts";
import { AutoBenchTarget, toTarget } from "../../../core/auto-bench/target.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { RunsPerJob, targetInput, TargetMode } from "./target-input.ts";

export const redefineTarget = defineEndpoint({
  id: "auto_bench_targets.redefine",
  method: "PUT",
  path: "/auto-bench/targets/{id}",
  params: { id: "target_id" },
  access: { face: "web", who: "person" },
  summary:
    "Change a target, but not its server; its mode and runs can change only while none of its jobs is in progress.",
  input: z.strictObject({
    ...targetInput,
    target_id: resourceIdInput(),
    // Left out, they stay: the mode may be one that nobody chooses here.
    benchmark_mode: TargetMode.optional(),
    runs_per_job: RunsPerJob.optional(),
  }),
  output: AutoBenchTarget,
  errors: ["plan_required", "validation_error", "not_found", "internal_target", "already_running"],
  example: {
    input: {
      target_id: exampleIdleTarget.id,
      name: exampleIdleTarget.name,
      runs_per_job: exampleIdleTarget.runs_per_job,
      schedule_cron: exampleIdleTarget.schedule_cron,
    },
    output: exampleIdleTarget,
  },

  check({ schedule_cron }, { now, fail }) {
    const problem = schedule_cron === null ? null : scheduleProblem(schedule_cron, now);
    if (problem) fail("validation_error", problem, { field: "schedule_cron" });
  },

  async handle({ target_id, ...input }, { db, caller, now, fail, found }) {
    const { account, limits } = caller;
    if (!planIncludes(limits, "auto-bench"))
      fail(
        "plan_required",
        `The account's plan (${account.plan}) does not include auto-bench. Change to a larger plan.`,
      );
    const { name, enabled, notes, schedule_cron: scheduleCron } = input;
    const result = await db.write(changeTarget, target_id, account.id, now, (before) => {
      const { benchmark_mode: mode = before.mode, runs_per_job: runsPerJob = before.runsPerJob } = input;
      const isNew = scheduleCron !== before.scheduleCron || runsPerJob !== before.runsPerJob;
      const problem =
        scheduleCron !== null && isNew
          ? scheduleQuotaProblem(scheduleCron, runsPerJob, limits.runs_per_day)
          : null;
      if (problem) fail("validation_error", problem, { field: "schedule_cron" });
      return { name, enabled, notes, scheduleCron, mode, runsPerJob };
    });
    if (result.kind === "internal_target")
      return fail(
        "internal_target",
        "This target belongs to the operator, and only the operator can change it.",
      );
    if (result.kind === "already_running")
      return fail(
        "already_running",
        "A job of this target is in progress, and keeps the mode and the runs it started with. Cancel the job or wait for its end, then change them.",
        { job_id: result.jobId },
      );
    return toTarget(found(result.kind === "changed" ? result.target : null));
  },
});
