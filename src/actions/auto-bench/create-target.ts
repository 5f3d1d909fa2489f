import { action } from "../../contract/endpoint/action.ts";
import { insertTarget, selectTargets } from "../../store/auto-bench/targets.ts";
import { selectServer } from "../../store/server/servers.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { nextRun, scheduleProblem, scheduleQuotaProblem } from "../../core/auto-bench/schedule.ts";
import { toTarget, type TargetRecord } from "../../core/auto-bench/target.ts";
import { resourceIdInput } from "../../core/id.ts";
import { targetInput } from "./target-input.ts";

/** For each account, including targets that the operator runs. */
export const mostTargets = 100;

/** The schedule is cron in UTC; null for none. */
export const createTarget = action({
  id: "auto_bench_targets.create",
  who: "person",
  plan: "auto-bench",
  input: {
    server_id: resourceIdInput(),
    ...targetInput,
  },
  errors: ["validation_error", "not_found", "limit_reached"],

  async run({ server_id, schedule_cron, ...input }, { db, caller, now, secrets, fail, found }) {
    const { account, limits } = caller;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const problem =
      schedule_cron === null
        ? null
        : (scheduleProblem(schedule_cron, now) ??
          scheduleQuotaProblem(schedule_cron, input.runs_per_job, limits.runs_per_day));
    if (problem) fail("validation_error", problem, { field: "schedule_cron" });
    const all = { enabled: null, includeInternal: true };
    const known = await db.read(selectTargets, account.id, all, null, mostTargets);
    if (known.length >= mostTargets)
      fail("limit_reached", `An account can have at most ${mostTargets} targets. Delete one first.`, {
        limit: mostTargets,
      });
    const definition = { enabled: input.enabled, scheduleCron: schedule_cron };
    const target: TargetRecord = {
      ...definition,
      id: secrets.newId(now),
      accountId: account.id,
      serverId: server.id,
      kind: "scheduled",
      name: input.name,
      notes: input.notes,
      mode: input.benchmark_mode,
      runsPerJob: input.runs_per_job,
      nextRunAt: nextRun(definition, now),
      consecutiveFailures: 0,
      disabledReason: null,
      lastLaunchedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await db.write(insertTarget, target);
    return toTarget({ ...target, serverName: server.name, lastJob: null, jobInFlightId: null });
  },
});
