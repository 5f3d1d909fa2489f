import { selectUnjudgedServers, toJudge } from "../store/report/regressions.ts";
import { saveJudgement } from "../services/report/save-judgement.ts";
import { judgeScheduledRuns } from "../services/auto-bench/scheduled-runs.ts";
import { regressionMessage } from "../core/notice/notices.ts";
import type { NewNotice } from "../core/notice/notice.ts";
import type { ServerToJudge } from "../core/server/regression/judged-server.ts";
import type { RegressionVerdict } from "../core/server/regression/verdict.ts";
import { parseInstant, type Instant } from "../core/time.ts";
import { nextTurn } from "../core/turns.ts";
import type { JobDeps } from "./deps.ts";

const pageSize = 100;

/** Evaluates servers with a job that ended since the last run; the next run tries failed servers again. */
export async function judgeServers(deps: JobDeps): Promise<void> {
  const { db, warn, signal } = deps;
  let after = "";
  for (;;) {
    const page = await db.read(selectUnjudgedServers, after, pageSize);
    for (const id of page) {
      if (signal.aborted) return;
      await judgeServer(deps, id).catch((error: unknown) => warn("regression", error));
      await nextTurn();
    }
    after = page.at(-1) ?? "";
    if (page.length < pageSize) return;
  }
}

async function judgeServer({ db, secrets, clock }: JobDeps, id: string): Promise<void> {
  const server = await db.read(toJudge, id);
  if (!server) return;
  const now = clock();
  const verdict = server.isVerified ? await judgeScheduledRuns(db, id, now) : null;
  const since = verdict?.since ? parseInstant(verdict.since) : null;
  const notice =
    verdict && since !== null ? noticeOf(server, verdict, since, { id: secrets.newId(now), now }) : null;
  await db.write(saveJudgement, { server, since, notice, now });
}

const noticeOf = (
  { id, accountId, name }: ServerToJudge,
  { metric, change_percent, baseline, recent }: RegressionVerdict,
  since: Instant,
  made: Pick<NewNotice, "id" | "now">,
): NewNotice => ({
  ...made,
  accountId,
  kind: "regression",
  serverId: id,
  message: regressionMessage(
    {
      serverName: name,
      metric,
      changePercent: change_percent,
      medianBefore: baseline?.median ?? null,
      medianNow: recent?.median ?? null,
      since,
    },
    `/servers/${id}/charts#regression`,
  ),
});
