import { action } from "../../contract/endpoint/action.ts";
import { changeTarget } from "../../services/auto-bench/change-target.ts";
import { scheduleProblem, scheduleQuotaProblem } from "../../core/auto-bench/schedule.ts";
import { toTarget } from "../../core/auto-bench/target.ts";
import { resourceIdInput } from "../../core/id.ts";
import { RunsPerJob, targetInput, TargetMode } from "./target-input.ts";

/** The server cannot change; mode and runs can change only while no job is in progress. */
export const redefineTarget = action({
  id: "auto_bench_targets.redefine",
  who: "person",
  plan: "auto-bench",
  input: {
    ...targetInput,
    target_id: resourceIdInput(),
    // Optional, because the stored mode may be one that people cannot choose.
    benchmark_mode: TargetMode.optional(),
    runs_per_job: RunsPerJob.optional(),
  },
  errors: ["validation_error", "not_found", "internal_target", "already_running"],

  async run({ target_id, ...input }, { db, caller, now, fail, found }) {
    const { account, limits } = caller;
    const { name, enabled, notes, schedule_cron: scheduleCron } = input;
    const unreadable = scheduleCron === null ? null : scheduleProblem(scheduleCron, now);
    if (unreadable) fail("validation_error", unreadable, { field: "schedule_cron" });
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
