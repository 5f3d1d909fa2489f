import { action } from "../../contract/endpoint/action.ts";
import { removeTarget } from "../../services/auto-bench/change-target.ts";
import { resourceIdInput } from "../../core/id.ts";

/** Refused while a job is in progress; past jobs and reports stay. */
export const deleteTarget = action({
  id: "auto_bench_targets.delete",
  who: "person",
  input: { target_id: resourceIdInput() },
  errors: ["not_found", "internal_target", "already_running"],

  async run({ target_id }, { db, caller, now, fail, found }) {
    const result = await db.write(removeTarget, target_id, caller.account.id, now);
    if (result.kind === "internal_target")
      return fail(
        "internal_target",
        "This target belongs to the operator, and only the operator can delete it.",
      );
    if (result.kind === "already_running")
      return fail(
        "already_running",
        "A job of this target is in progress. Cancel the job or wait for its end, then delete the target.",
        { job_id: result.jobId },
      );
    found(result.kind === "removed" ? result : null);
    return { deleted: true as const, target_id };
  },
});
