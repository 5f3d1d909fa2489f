import type { RunnerRecord } from "../../core/auto-bench/records.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { runnerTable } from "./tables.ts";

export const insertRunner = query<RowOf<typeof runnerTable>>()((db, $) =>
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

export const setRunnerRevoked = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("runner").set({ revoked_at: $.now }).where("id", "=", $.id).where("revoked_at", "is", null),
);

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
