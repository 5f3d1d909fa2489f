import { removeTarget } from "../../../services/auto-bench/change-target.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleIdleTarget } from "../../../core/auto-bench/example-auto-bench.ts";

export const deleteTarget = defineEndpoint({
  id: "auto_bench_targets.delete",
  method: "DELETE",
  path: "/auto-bench/targets/{id}",
  params: { id: "target_id" },
  access: { face: "web", who: "person" },
  summary: "Delete a target that has no job in progress; its jobs and its reports stay.",
  input: z.strictObject({ target_id: resourceIdInput() }),
  output: z.object({ deleted: z.literal(true), target_id: Id }),
  errors: ["not_found", "internal_target", "already_running"],
  example: {
    input: { target_id: exampleIdleTarget.id },
    output: { deleted: true, target_id: exampleIdleTarget.id },
  },

  async handle({ target_id }, { db, caller, now, fail, found }) {
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
