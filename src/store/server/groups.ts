import type { NewGroup, GroupChanges } from "../../core/server/records.ts";
import type { Instant } from "../../core/time.ts";
import type { Replay, Replayed } from "../../core/replay.ts";
import { maxSortOrder, type GroupRecord } from "../../core/server/server-group.ts";
import { type Work, all, one, run, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "./locks.ts";
import { forUpdate, placesOf, query, type Builder } from "../engine/query.ts";
import { findEarlier, noteMade } from "../access/replays.ts";
import type { RowOf } from "../engine/table.ts";
import { serverGroupTable } from "./tables.ts";

type GroupRow = RowOf<typeof serverGroupTable>;
type Row = GroupRow & { servers: number | null };

const toGroup = (row: Row): GroupRecord =>
  Object.assign(serverGroupTable.toRecord(row), { serverCount: row.servers ?? 0 });

const columns = serverGroupTable.of("g");

const groups = (db: Builder) =>
  db
    .selectFrom("server_group as g")
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom("server as s")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("s.group_id", "=", "g.id")
        .whereRef("s.account_id", "=", "g.account_id")
        .as("servers"),
    );

const list = query<{ account: string }>()((db, $) =>
  groups(db)
    .where("g.account_id", "=", $.account)
    .orderBy("g.sort_order")
    .orderBy("g.created_at")
    .orderBy("g.id"),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  groups(db).where("g.id", "=", $.id).where("g.account_id", "=", $.account),
);

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server_group as g").select(columns).where("g.id", "=", $.id)),
);

const tally = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server_group")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("sort_order").as("last")])
    .where("account_id", "=", $.account),
);

const insert = query<GroupRow>()((db, $) =>
  db.insertInto("server_group").values(placesOf(serverGroupTable.columns, $)),
);

const update = query<{ id: string; name: string; color: string | null; order: number; now: number }>()(
  (db, $) =>
    db
      .updateTable("server_group")
      .set({ name: $.name, color: $.color, sort_order: $.order, updated_at: $.now })
      .where("id", "=", $.id),
);

const empty = query<{ id: string }>()((db, $) =>
  db.updateTable("server").set({ group_id: null }).where("group_id", "=", $.id),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("server_group").where("id", "=", $.id));

type Created = Generator<Step, Replayed<GroupRecord> | null, Result>;

export function* addGroup(group: NewGroup, replay: Replay): Created {
  yield* lockAccount(group.accountId);
  const earlier = yield* findEarlier(replay);
  if (earlier === "mismatch") return { kind: "mismatch" };
  for (const { id, updatedAt } of earlier) {
    const made = yield* one(find, { id, account: group.accountId });
    // Without a key only a result that still stands unchanged is the same intent.
    if (made && (replay.key !== null || made.updated_at === updatedAt))
      return { kind: "same", value: toGroup(made) };
  }
  const counted = yield* one(tally, { account: group.accountId });
  if ((counted?.count ?? 0) >= group.limit) return null;
  const sortOrder = Math.min((counted?.last ?? -1) + 1, maxSortOrder);
  const made = { sortOrder, createdAt: group.now, updatedAt: group.now };
  yield* run(insert, serverGroupTable.toRow({ ...group, ...made }));
  yield* noteMade(replay, group.id, group.now);
  const row = yield* one(find, { id: group.id, account: group.accountId });
  if (!row) throw new Error("A group that was just made is gone.");
  return { kind: "created", value: toGroup(row) };
}

/** All groups of the account, by sort order, then age. */
export function* selectGroups(account: string): Work<GroupRecord[]> {
  return (yield* all(list, { account })).map(toGroup);
}

export function* selectGroup(id: string, account: string): Work<GroupRecord | null> {
  const row = yield* one(find, { id, account });
  return row && toGroup(row);
}

export function* changeGroup(id: string, changes: GroupChanges, now: Instant): Work<void> {
  const row = yield* one(lock, { id });
  if (!row) return;
  const { name, color, sortOrder } = { ...toGroup({ ...row, servers: null }), ...changes };
  if (name === row.name && color === row.color && sortOrder === row.sort_order) return;
  // Later than any version before it, so that `updated_at` tells versions apart.
  yield* run(update, { id, name, color, order: sortOrder, now: Math.max(now, row.updated_at + 1) });
}

/** Its servers stay, in no group. */
export function* removeGroup(id: string, account: string): Work<void> {
  const row = yield* one(lock, { id });
  if (row?.account_id !== account) return;
  yield* run(empty, { id });
  yield* run(remove, { id });
}
