import type { RunnerStore } from "../../core/auto-bench/store.ts";
import { runnerCreated, runnerRevoked } from "../../core/service-log/entries.ts";
import { all, one, run, type Database } from "../engine/database.ts";
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

export function runnerStore(db: Database): RunnerStore {
  return {
    create: (runner, digest, act) =>
      db.write("saved", function* () {
        yield* run(insert, {
          ...runnerTable.toRow({ ...runner, revokedAt: null, lastUsedAt: null }),
          digest,
        });
        yield* note(act, runnerCreated(runner.id));
      }),
    list: () =>
      db.read(function* () {
        return (yield* all(list, {})).map(runnerTable.toRecord);
      }),
    present: (digest) =>
      db.read(function* () {
        const row = yield* one(present, { digest });
        return row && runnerTable.toRecord(row);
      }),
    markUsed: (id, now) =>
      db.write("counted", function* () {
        yield* run(markUsed, { id, now });
      }),
    revoke: (id, now, act) =>
      db.write("saved", function* () {
        const revoked = (yield* run(revoke, { id, now })) === 1;
        if (revoked) yield* note(act, runnerRevoked(id));
        return revoked;
      }),
  };
}
