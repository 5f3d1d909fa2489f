import { paused } from "../../core/alert/evaluate.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import { nextRun } from "../../core/auto-bench/schedule.ts";
import { cancelled } from "../../core/auto-bench/transitions.ts";
import { isInMaintenance } from "../../core/maintenance/maintenance.ts";
import { resolveAlert } from "../alert/resolve-alert.ts";
import { lockAlert } from "../../store/alert/alerts.ts";
import { rulesOf, saveRule } from "../../store/alert/alert-rules.ts";
import { holdJob, stepJob } from "../auto-bench/hold-job.ts";
import { lockTarget, saveTarget } from "../../store/auto-bench/auto-bench-rows.ts";
import { dropUsedCodes, revokeCredentials } from "../../store/access/credentials.ts";
import { all, run, type Result, type Step } from "../../store/engine/database.ts";
import { lockServer } from "../../store/server/locks.ts";
import { maintenanceOf, removeMaintenance } from "../../store/maintenance/maintenance.ts";
import { query } from "../../store/engine/query.ts";

const leave = query<{ id: string; until: number }>()((db, $) =>
  db.updateTable("server").set({ account_id: null, kept_until: $.until }).where("id", "=", $.id),
);

/** No plugin calls its installation so: nobody finds the server by it again. */
const release = query<{ id: string; nobodys: string }>()((db, $) =>
  db.updateTable("server").set({ installation_id: $.nobodys }).where("id", "=", $.id),
);

const targetsOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("auto_bench_target").select("id").where("server_id", "=", $.server).orderBy("id"),
);

const jobInFlight = query<{ target: string }>()((db, $) =>
  db
    .selectFrom("auto_bench_job")
    .select("id")
    .where("target_id", "=", $.target)
    .where("finished_at", "is", null),
);

type Done = Generator<Step, void, Result>;

/** The alerts in progress end; `silently`: nobody is told of it. */
function* endAlerts(server: string, silently: boolean, now: number): Done {
  const inMaintenance = isInMaintenance(yield* maintenanceOf(server), now);
  for (const rule of yield* rulesOf(server)) {
    const alert = rule.openAlertId === null ? null : yield* lockAlert(rule.openAlertId);
    const silent = silently || inMaintenance || isMuted(rule, now);
    if (alert) yield* resolveAlert(alert, "server_unlinked", silent, now);
    yield* saveRule({ ...rule, openAlertId: null, progress: paused(rule.progress, now) });
  }
}

/** What waits for an agent is over, what an agent has is to be stopped, and nothing is launched any more. */
function* endRuns(server: string, now: number): Done {
  for (const { id } of yield* all(targetsOf, { server })) {
    for (const flying of yield* all(jobInFlight, { target: id })) {
      const held = yield* holdJob(flying.id, now);
      if (held) yield* stepJob(held, { ...held.job, ...cancelled(held.job, now) }, now);
    }
    const target = yield* lockTarget(id);
    if (target && target.nextRunAt !== null) yield* saveTarget({ ...target, nextRunAt: null });
  }
}

/** What was scheduled goes on from here. */
export function* resumeSchedules(server: string, now: number): Done {
  for (const { id } of yield* all(targetsOf, { server })) {
    const target = yield* lockTarget(id);
    if (target) yield* saveTarget({ ...target, nextRunAt: nextRun(target, now) });
  }
}

export interface Leaving {
  readonly serverId: string;
  /** Until when its data stays. */
  readonly keptUntil: number;
  readonly silently: boolean;
  readonly now: number;
}

/**
 * Takes a server out of its account; whoever calls holds the account's lock and knows that the server is its. The
 * codes go first: a claim holds its code while it waits for the server.
 */
export function* leaveAccount({ serverId, keptUntil, silently, now }: Leaving): Done {
  yield* run(dropUsedCodes, { server: serverId });
  yield* lockServer(serverId);
  yield* endAlerts(serverId, silently, now);
  yield* removeMaintenance(serverId);
  yield* endRuns(serverId, now);
  yield* run(revokeCredentials, { server: serverId, now });
  yield* run(leave, { id: serverId, until: keptUntil });
}

/** From here on nobody brings the server back: its installation is free. */
export function* releaseInstallation(serverId: string): Done {
  yield* run(release, { id: serverId, nobodys: `gone ${serverId}` });
}
