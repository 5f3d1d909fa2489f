import type { RunnerRecord } from "../../core/auto-bench/records.ts";
import { runnerCreated } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { insertRunner } from "../../store/auto-bench/runners.ts";
import { runnerTable } from "../../store/auto-bench/tables.ts";
import { type Work, run } from "../../store/engine/database.ts";

export function* addRunner(runner: RunnerRecord, digest: string, act?: Act): Work<void> {
  yield* run(insertRunner, {
    ...runnerTable.toRow({ ...runner, revokedAt: null, lastUsedAt: null }),
    digest,
  });
  yield* logAct(act, runnerCreated(runner.id));
}
