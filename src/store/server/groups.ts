import { type GroupRecord } from "../../core/server/server-group.ts";
import { type Work, all, one } from "../engine/database.ts";
import { forUpdate, placesOf, query, type Builder } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { serverGroupTable } from "./tables.ts";

type GroupRow = RowOf<typeof serverGroupTable>;
type Row = GroupRow & { servers: number | null };

export const toGroup = (row: Row): GroupRecord =>
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

export const findGroup = query<{ id: string; account: string }>()((db, $) =>
  groups(db).where("g.id", "=", $.id).where("g.account_id", "=", $.account),
);

export const lockGroup = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server_group as g").select(columns).where("g.id", "=", $.id)),
);

export const countGroups = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("server_group")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("sort_order").as("last")])
    .where("account_id", "=", $.account),
);

export const insertGroup = query<GroupRow>()((db, $) =>
  db.insertInto("server_group").values(placesOf(serverGroupTable.columns, $)),
);

export const updateGroupRow = query<{
  id: string;
  name: string;
  color: string | null;
  order: number;
  now: number;
}>()((db, $) =>
  db
    .updateTable("server_group")
    .set({ name: $.name, color: $.color, sort_order: $.order, updated_at: $.now })
    .where("id", "=", $.id),
);

export const leaveGroup = query<{ id: string }>()((db, $) =>
  db.updateTable("server").set({ group_id: null }).where("group_id", "=", $.id),
);

export const deleteGroup = query<{ id: string }>()((db, $) =>
  db.deleteFrom("server_group").where("id", "=", $.id),
);

export function* selectGroups(account: string): Work<GroupRecord[]> {
  return (yield* all(list, { account })).map(toGroup);
}

export function* selectGroup(id: string, account: string): Work<GroupRecord | null> {
  const row = yield* one(findGroup, { id, account });
  return row && toGroup(row);
}
