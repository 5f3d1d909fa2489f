import type { RunnerRecord } from "../../core/auto-bench/records.ts";
import type { Act } from "../../core/service-log/entry.ts";
import type { Instant } from "../../core/time.ts";
import { runnerCreated, runnerRevoked } from "../../core/service-log/entries.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { note } from "../service-log/service-log.ts";
import { runnerTable } from "./tables.ts";

const insert = query<RowOf<typeof runnerTable>>()((db, $) =>
  db.insertInto("runner").values(placesOf(runnerTable.columns, $)),
);

const list = query<Record<string, never>>()((db) =>
  db.selectFrom("runner").selectAll().orderBy("created_at").orderBy("id"),
);

const present = query<{ digest: string }>()((db, $) =>
  db.selectFrom("runner").selectAll().where("digest", "=", $.digest),
);

const markUsed = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("runner").set({ last_used_at: $.now }).where("id", "=", $.id),
);

const revoke = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("runner").set({ revoked_at: $.now }).where("id", "=", $.id).where("revoked_at", "is", null),
);

/** An act that is told is written into the service's log, here and where one is revoked. */
export function* addRunner(runner: RunnerRecord, digest: string, act?: Act): Work<void> {
  yield* run(insert, {
    ...runnerTable.toRow({ ...runner, revokedAt: null, lastUsedAt: null }),
    digest,
  });
  yield* note(act, runnerCreated(runner.id));
}

/** Oldest first. */
export function* selectRunners(): Work<RunnerRecord[]> {
  return (yield* all(list, {})).map(runnerTable.toRecord);
}

export function* selectPresentedRunner(digest: string): Work<RunnerRecord | null> {
  const row = yield* one(present, { digest });
  return row && runnerTable.toRecord(row);
}

export function* updateRunnerUsed(id: string, now: Instant): Work<void> {
  yield* run(markUsed, { id, now });
}

/** False when there is no such runner, or it was revoked before. */
export function* withdrawRunner(id: string, now: Instant, act?: Act): Work<boolean> {
  const revoked = (yield* run(revoke, { id, now })) === 1;
  if (revoked) yield* note(act, runnerRevoked(id));
  return revoked;
}
