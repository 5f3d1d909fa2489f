import { paused } from "../../core/alert/evaluate.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import { nextRun } from "../../core/auto-bench/schedule.ts";
import { cancelled } from "../../core/auto-bench/transitions.ts";
import { isInMaintenance } from "../../core/maintenance/server-maintenance.ts";
import { leaveMonitoringOrder } from "../monitoring/monitored-positions.ts";
import { resolveAlert } from "../alert/resolve-alert.ts";
import { lockAlert } from "../../store/alert/alerts.ts";
import { rulesOf, saveRule } from "../../store/alert/alert-rules.ts";
import { holdJob, stepJob } from "../auto-bench/hold-job.ts";
import { lockTarget, saveTarget } from "../../store/auto-bench/auto-bench-rows.ts";
import { dropUsedCodes, revokeCredentials } from "../../store/access/credentials.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { dropProfileLinks } from "../../store/profile/profile-links.ts";
import { lockServer } from "../../store/server/locks.ts";
import { leaveStatusPages } from "../../store/status-page/status-pages.ts";
import { removeMaintenance } from "../../store/maintenance/maintenance.ts";
import { recurringOf, saveRecurring } from "../../store/maintenance/recurring.ts";
import { planned } from "../../core/maintenance/recurring.ts";
import { recordBegunWindows } from "../maintenance/record-begun-windows.ts";
import { renameInstallation, unlinkUntil } from "../../store/server/leaving.ts";
import { jobInFlightOf, targetsOfServer } from "../../store/auto-bench/launches.ts";

type Done = Work<void>;

/** Resolves open alerts; `silently`: without messages. */
function* endAlerts(server: string, silently: boolean, now: number): Done {
  const inMaintenance = isInMaintenance(yield* recordBegunWindows(server, now), now);
  for (const rule of yield* rulesOf(server)) {
    const alert = rule.openAlertId === null ? null : yield* lockAlert(rule.openAlertId);
    const silent = silently || inMaintenance || isMuted(rule, now);
    if (alert) yield* resolveAlert(alert, "server_unlinked", silent, now);
    yield* saveRule({ ...rule, openAlertId: null, progress: paused(rule.progress, now) });
  }
}

/** Cancels running jobs, and ends the schedules. */
function* endRuns(server: string, now: number): Done {
  for (const id of yield* targetsOfServer(server)) {
    const jobId = yield* jobInFlightOf(id);
    const held = jobId === null ? null : yield* holdJob(jobId, now);
    if (held) yield* stepJob(held, { ...held.job, ...cancelled(held.job, now) }, now);
    const target = yield* lockTarget(id);
    if (target && target.nextRunAt !== null) yield* saveTarget({ ...target, nextRunAt: null });
  }
}

/** Ends a window in progress, and plans no further one. */
function* endMaintenance(server: string): Done {
  yield* run(removeMaintenance, { server });
  for (const recurring of yield* recurringOf(server))
    if (recurring.nextStartsAt !== null) yield* saveRecurring({ ...recurring, nextStartsAt: null });
}

/** Resumes recurring maintenance and scheduled runs from `now`. */
export function* resumeSchedules(server: string, now: number): Done {
  for (const recurring of yield* recurringOf(server)) yield* saveRecurring(planned(recurring, now));
  for (const id of yield* targetsOfServer(server)) {
    const target = yield* lockTarget(id);
    if (target) yield* saveTarget({ ...target, nextRunAt: nextRun(target, now) });
  }
}

export interface Leaving {
  readonly serverId: string;
  /** End of the data's retention. */
  readonly keptUntil: number;
  readonly silently: boolean;
  readonly now: number;
}

/**
 * The caller must hold the account's lock, and know that the server is its. Link codes are deleted first,
 * because a claim locks its code before the server.
 */
export function* leaveAccount({ serverId, keptUntil, silently, now }: Leaving): Done {
  yield* run(dropUsedCodes, { server: serverId });
  yield* lockServer(serverId);
  yield* endAlerts(serverId, silently, now);
  yield* endMaintenance(serverId);
  yield* endRuns(serverId, now);
  yield* run(revokeCredentials, { server: serverId, now });
  yield* leaveStatusPages(serverId, now);
  yield* run(dropProfileLinks, { server: serverId });
  yield* leaveMonitoringOrder(serverId);
  yield* run(unlinkUntil, { id: serverId, until: keptUntil });
}

/** Frees the installation id of a server that will never be linked again. */
export function* releaseInstallation(serverId: string): Done {
  yield* run(renameInstallation, { id: serverId, nobodys: `gone ${serverId}` });
}
