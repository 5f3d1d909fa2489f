import type { JudgedServer } from "../../core/server/regression/judged-server.ts";
import { isNewDrop } from "../../core/server/regression/news.ts";
import { one, run } from "../../store/engine/database.ts";
import { markHealthDue } from "../../store/health/server-health.ts";
import { lockJudgedServer, markJudged, setRegressionSince } from "../../store/report/regressions.ts";
import { queueNotice } from "../notice/queue-notice.ts";

/** Marks a server's runs as judged, and notifies its owner of a new drop. */
export function* saveJudgement({ server: { id, accountId, jobIds }, since, notice, now }: JudgedServer) {
  const server = yield* one(lockJudgedServer, { id });
  let marked = 0;
  for (const job of jobIds) marked += yield* run(markJudged, { id: job, now });
  if (marked > 0) yield* markHealthDue(id);
  if (!server || server.verified_at === null || marked === 0 || since === null || notice === null) return;
  // An owner of a moment ago must not get the former owner's notice.
  if (server.account_id !== accountId || !isNewDrop(since, server.regression_since, now)) return;
  yield* run(setRegressionSince, { id, now });
  yield* queueNotice(notice);
}
