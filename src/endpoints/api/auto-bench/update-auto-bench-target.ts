import { changeTarget } from "../../../services/auto-bench/change-target.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { longestCron } from "../../../core/cron.ts";
import { scheduleProblem, scheduleQuotaProblem } from "../../../core/auto-bench/schedule.ts";
import {
  AutoBenchTarget,
  TargetName,
  TargetNotes,
  toTarget,
  type TargetDefinition,
} from "../../../core/auto-bench/target.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleTarget } from "../../../core/auto-bench/example-auto-bench.ts";

export const updateAutoBenchTarget = defineEndpoint({
  id: "auto_bench_targets.update",
  method: "PATCH",
  path: "/auto-bench/targets/{id}",
  params: { id: "target_id" },
  access: { face: "api", scope: "auto-bench:write", plan: "auto-bench" },
  summary:
    "Rename, reschedule, switch on or off a target; switching it on clears its failures. The schedule is cron in UTC.",
  input: z.strictObject({
    target_id: resourceIdInput(),
    enabled: z.boolean().optional(),
    schedule_cron: plainText(longestCron, 1).nullable().optional(),
    name: TargetName.optional(),
    notes: TargetNotes.nullable().optional(),
  }),
  output: AutoBenchTarget,
  errors: ["validation_error", "not_found", "internal_target"],
  example: {
    input: { target_id: exampleTarget.id, schedule_cron: "30 4 * * *" },
    output: exampleTarget,
  },

  check({ schedule_cron }, { now, fail }) {
    const problem = typeof schedule_cron === "string" ? scheduleProblem(schedule_cron, now) : null;
    if (problem) fail("validation_error", problem, { field: "schedule_cron" });
  },

  async handle({ target_id, ...sent }, { db, caller, now, fail, found }) {
    const { account, limits } = caller;
    const result = await db.write(changeTarget, target_id, account.id, now, (before) => {
      const { schedule_cron: cron } = sent;
      const problem =
        typeof cron === "string" ? scheduleQuotaProblem(cron, before.runsPerJob, limits.runs_per_day) : null;
      if (problem) fail("validation_error", problem, { field: "schedule_cron" });
      return changesOf(sent);
    });
    if (result.kind === "internal_target")
      return fail(
        "internal_target",
        "This target belongs to the operator, and only the operator can change it.",
      );
    return toTarget(found(result.kind === "changed" ? result.target : null));
  },
});

interface Sent {
  enabled?: boolean | undefined;
  schedule_cron?: string | null | undefined;
  name?: string | undefined;
  notes?: string | null | undefined;
}

const changesOf = ({ enabled, schedule_cron, name, notes }: Sent): Partial<TargetDefinition> => ({
  ...(enabled !== undefined && { enabled }),
  ...(schedule_cron !== undefined && { scheduleCron: schedule_cron }),
  ...(name !== undefined && { name }),
  ...(notes !== undefined && { notes }),
});
