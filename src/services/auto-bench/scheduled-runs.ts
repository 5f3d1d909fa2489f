import type { UploadedReport } from "../../core/report/records.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectScheduledReports } from "../../store/report/reports.ts";
import type { TimePosition } from "../../core/position.ts";
import { toReportDetail } from "../../core/report/show.ts";
import { storedPayload } from "../../core/report/stored-payload.ts";
import { troubledTests } from "../../core/report/troubled-tests.ts";
import { scheduledRunOf, type ScheduledRun } from "../../core/server/regression/run.ts";
import {
  judgeRegression,
  windowStart,
  type RegressionVerdict,
} from "../../core/server/regression/verdict.ts";
import { parseInstant, type Instant } from "../../core/time.ts";
import type { ServerRecord } from "../../core/server/server.ts";
import { nextTurn } from "../../core/turns.ts";

/** Uploads in memory at a time; each has up to 2 MiB. */
const runsAtATime = 20;

/** A viewer without rights, because the verdict must not depend on who asks. */
const nobody = { accountId: null, admin: false } as const;

/**
 * Caches runs: reading an upload takes 1 ms, and what the rule needs of it never changes. A run takes about 2
 * kB; the oldest are dropped. Keyed by `read`, because each call has its own `Database` object.
 */
const keptOf = new WeakMap<Database["read"], Map<string, ScheduledRun>>();
const mostKept = 2000;

function keptRunsOf({ read }: Database): Map<string, ScheduledRun> {
  const kept = keptOf.get(read) ?? new Map<string, ScheduledRun>();
  keptOf.set(read, kept);
  return kept;
}

function scheduledRun(
  keptRuns: Map<string, ScheduledRun>,
  { report, payload }: UploadedReport,
  now: Instant,
): ScheduledRun {
  const kept = keptRuns.get(report.id);
  if (kept) return kept;
  const upload = storedPayload(payload);
  const shown = toReportDetail(report, nobody, now);
  const run = scheduledRunOf(shown, upload, report.finishedAt, troubledTests(upload));
  keptRuns.set(report.id, run);
  const [oldest] = keptRuns.keys();
  if (keptRuns.size > mostKept && oldest !== undefined) keptRuns.delete(oldest);
  return run;
}

/** The window's scheduled runs, oldest first; other work runs between two portions. */
async function scheduledRuns(db: Database, serverId: string, now: Instant): Promise<ScheduledRun[]> {
  const period = { from: windowStart(now), to: now };
  const kept = keptRunsOf(db);
  const runs: ScheduledRun[] = [];
  let after: TimePosition | null = null;
  do {
    const portion: UploadedReport[] = await db.read(
      selectScheduledReports,
      serverId,
      period,
      after,
      runsAtATime,
    );
    for (const uploaded of portion) runs.push(scheduledRun(kept, uploaded, now));
    const last = portion.at(-1)?.report;
    after = last && portion.length === runsAtATime ? { at: last.finishedAt, id: last.id } : null;
    await nextTurn();
  } while (after);
  return runs;
}

export const judgeScheduledRuns = async (
  db: Database,
  serverId: string,
  now: Instant,
): Promise<RegressionVerdict> => judgeRegression(serverId, await scheduledRuns(db, serverId, now), now);

/** When the regression began; null if the verdict is another. */
export async function regressionSince(
  db: Database,
  { id, verifiedAt }: Pick<ServerRecord, "id" | "verifiedAt">,
  now: Instant,
): Promise<Instant | null> {
  if (verifiedAt === null) return null;
  const { verdict, since } = await judgeScheduledRuns(db, id, now);
  return verdict === "regression" && since !== null ? parseInstant(since) : null;
}
