import { retainedFrom } from "../../core/metric/clock.ts";
import { keptMs } from "../../core/job/kept-for.ts";
import type { Plans } from "../../core/access/plan.ts";
import { untilDone } from "../../store/engine/batches.ts";
import { type Database, all, run } from "../../store/engine/database.ts";
import { documentsAtATime, dropBeyond } from "../../store/profile/document-limits.ts";
import { keptPlanOf } from "../../store/metric/series-servers.ts";
import {
  type DocumentHolder,
  deleteOldSummaries,
  deleteOldProfiles,
  documentHoldersAfter,
  holdersAtATime,
  summariesAtATime,
} from "../../store/profile/profile-prune.ts";

async function* eachHolder(db: Database): AsyncGenerator<DocumentHolder> {
  for (let after: string | null = ""; after !== null;) {
    const from: string = after;
    const rows: DocumentHolder[] = await db.read(() =>
      all(documentHoldersAfter, { after: from, limit: holdersAtATime }),
    );
    yield* rows;
    after = rows.at(-1)?.id ?? null;
  }
}

/**
 * Deletes full profiles and memory reports beyond their owner's plan, and summaries older than a year. Ages
 * count from the upload by this service's clock, whatever a server's clock says.
 */
export async function* pruneProfiles(db: Database, now: number, plans: Plans): AsyncGenerator<number> {
  const yearAgo = now - keptMs.profileSummary;
  for await (const held of eachHolder(db)) {
    const kept = plans[keptPlanOf(held, now)];
    // Documents first, because deleting a summary also deletes its remaining documents.
    const before = Math.max(retainedFrom(kept.profile_days, now), yearAgo);
    if ((held.oldest_profile ?? now) < before)
      yield* untilDone(
        () => db.writeRelaxed(() => run(deleteOldProfiles, { server: held.id, before })),
        documentsAtATime,
      );
    for (const [table, rows, most] of [
      ["profile_document", held.profiles, kept.profiles],
      ["memory_report", held.memory_reports, kept.memory_reports],
    ] as const) {
      if ((rows ?? 0) <= most) continue;
      yield* untilDone(
        () =>
          db.writeRelaxed(function* () {
            return (yield* dropBeyond(table, held.id, most)).length;
          }),
        documentsAtATime,
      );
    }
  }
  yield* untilDone(
    () => db.writeRelaxed(() => run(deleteOldSummaries, { before: yearAgo })),
    summariesAtATime,
  );
}
