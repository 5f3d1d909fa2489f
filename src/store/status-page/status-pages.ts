import type { StatusPageRecord } from "../../core/status-page/status-page.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { forUpdate, placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { statusPageServerTable, statusPageTable } from "./tables.ts";

const listOfAccount = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("status_page")
    .select(statusPageTable.columns)
    .where("account_id", "=", $.account)
    .orderBy("created_at")
    .orderBy("id"),
);

const serversOfAccount = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("status_page_server as p")
    .innerJoin("status_page as o", "o.id", "p.page_id")
    .select(statusPageServerTable.of("p"))
    .where("o.account_id", "=", $.account)
    .orderBy("p.position"),
);

const findByAddress = query<{ address: string }>()((db, $) =>
  db
    .selectFrom("status_page as p")
    .innerJoin("account as a", "a.id", "p.account_id")
    .select(["p.id", "p.updated_at"])
    .where("p.address", "=", $.address)
    .where("a.role", "<>", "suspended"),
);

const findById = query<{ id: string }>()((db, $) =>
  db.selectFrom("status_page").select(statusPageTable.columns).where("id", "=", $.id),
);

const serversOf = query<{ id: string }>()((db, $) =>
  db
    .selectFrom("status_page_server")
    .select(statusPageServerTable.columns)
    .where("page_id", "=", $.id)
    .orderBy("position"),
);

const lockOfAccount = query<{ id: string; account: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("status_page")
      .select("updated_at")
      .where("id", "=", $.id)
      .where("account_id", "=", $.account),
  ),
);

const insertPage = query<RowOf<typeof statusPageTable>>()((db, $) =>
  db
    .insertInto("status_page")
    .values(placesOf(statusPageTable.columns, $))
    .onConflict((conflict) => conflict.column("address").doNothing()),
);

const updatePage = query<{ id: string; title: string; players: number; updated: number }>()((db, $) =>
  db
    .updateTable("status_page")
    .set({ title: $.title, shows_players: $.players, updated_at: $.updated })
    .where("id", "=", $.id),
);

const deletePage = query<{ id: string }>()((db, $) => db.deleteFrom("status_page").where("id", "=", $.id));

const insertServer = query<RowOf<typeof statusPageServerTable>>()((db, $) =>
  db.insertInto("status_page_server").values(placesOf(statusPageServerTable.columns, $)),
);

const deleteServers = query<{ id: string }>()((db, $) =>
  db.deleteFrom("status_page_server").where("page_id", "=", $.id),
);

const touchPagesOf = query<{ server: string; now: number }>()((db, $) =>
  db
    .updateTable("status_page")
    .set((eb) => ({
      updated_at: eb
        .case()
        .when("updated_at", ">=", $.now)
        .then(eb("updated_at", "+", 1))
        .else($.now)
        .end(),
    }))
    .where("id", "in", (of) =>
      of.selectFrom("status_page_server").select("page_id").where("server_id", "=", $.server),
    ),
);

const leavePages = query<{ server: string }>()((db, $) =>
  db.deleteFrom("status_page_server").where("server_id", "=", $.server),
);

type PageRow = RowOf<typeof statusPageTable>;
type ServerRow = RowOf<typeof statusPageServerTable>;

const toPage = (row: PageRow, servers: readonly ServerRow[]): StatusPageRecord =>
  Object.assign(statusPageTable.toRecord(row), {
    servers: servers.map(({ server_id, name }) => ({ server_id, name })),
  });

export function* selectStatusPages(account: string): Work<StatusPageRecord[]> {
  const servers = yield* all(serversOfAccount, { account });
  return (yield* all(listOfAccount, { account })).map((row) =>
    toPage(
      row,
      servers.filter(({ page_id }) => page_id === row.id),
    ),
  );
}

export function* selectStatusPage(id: string): Work<StatusPageRecord | null> {
  const row = yield* one(findById, { id });
  return row && toPage(row, yield* all(serversOf, { id }));
}

/** Id and version of the page at a public address; null if there is none, or its owner is suspended. */
export function* selectStatusAddress(
  address: string,
): Work<{ readonly id: string; readonly updatedAt: number } | null> {
  const row = yield* one(findByAddress, { address });
  return row && { id: row.id, updatedAt: row.updated_at };
}

export function* lockStatusPage(id: string, account: string): Work<number | null> {
  return (yield* one(lockOfAccount, { id, account }))?.updated_at ?? null;
}

/** Returns false if another page has the address. */
export function* insertStatusPage(page: StatusPageRecord): Work<boolean> {
  if ((yield* run(insertPage, statusPageTable.toRow(page))) === 0) return false;
  yield* writeServers(page.id, page.servers);
  return true;
}

export function* updateStatusPageRows(
  id: string,
  { title, showsPlayers, servers }: Pick<StatusPageRecord, "title" | "showsPlayers" | "servers">,
  updated: number,
): Work<void> {
  yield* run(updatePage, { id, title, players: Number(showsPlayers), updated });
  yield* run(deleteServers, { id });
  yield* writeServers(id, servers);
}

function* writeServers(id: string, servers: StatusPageRecord["servers"]): Work<void> {
  for (const [position, { server_id, name }] of servers.entries())
    yield* run(
      insertServer,
      statusPageServerTable.toRow({ pageId: id, serverId: server_id, position, name }),
    );
}

export function* deleteStatusPageRows(id: string): Work<void> {
  yield* run(deleteServers, { id });
  yield* run(deletePage, { id });
}

/** Removes a server from all status pages, and raises their versions. */
export function* leaveStatusPages(server: string, now: number): Work<void> {
  yield* run(touchPagesOf, { server, now });
  yield* run(leavePages, { server });
}
