import type { RunnerRecord, RunnerStore } from "../../core/auto-bench/store.ts";
import { runnerCreated, runnerRevoked } from "../../core/service-log/entries.ts";
import { all, one, run, type Database } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { note } from "../service-log/service-log.ts";

const insert = query<{ id: string; name: string; digest: string; created: number }>()((db, $) =>
  db.insertInto("runner").values({
    id: $.id,
    name: $.name,
    digest: $.digest,
    created_at: $.created,
    revoked_at: null,
    last_used_at: null,
  }),
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

interface Row {
  id: string;
  name: string;
  created_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

const toRunner = (row: Row): RunnerRecord => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
});

export function runnerStore(db: Database): RunnerStore {
  return {
    create: ({ id, name, createdAt }, digest, act) =>
      db.write("saved", function* () {
        yield* run(insert, { id, name, digest, created: createdAt });
        yield* note(act, runnerCreated(id));
      }),
    list: () =>
      db.read(function* () {
        return (yield* all(list, {})).map(toRunner);
      }),
    present: (digest) =>
      db.read(function* () {
        const row = yield* one(present, { digest });
        return row && toRunner(row);
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
