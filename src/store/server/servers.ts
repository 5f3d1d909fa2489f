import type { Viewer } from "../../core/viewer.ts";
import type { ServerFilter } from "../../core/server/records.ts";
import type { TimePosition } from "../../core/position.ts";
import type { Instant } from "../../core/time.ts";
import { sql } from "kysely";
import type { MonitoredServer, ServerRecord } from "../../core/server/server.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { forUpdate, fromTop, query, type Builder } from "../engine/query.ts";
import { linkedServers, monitored, toMonitored, toRecord } from "./server-rows.ts";

type ListValues = { verified: number | null; at: number; id: string; limit: number };

const newestFirst = (db: Builder, $: ListValues) =>
  linkedServers(db)
    .where(
      sql<boolean>`(cast(${$.verified} as integer) is null or (s.verified_at is not null) = (cast(${$.verified} as integer) = 1))`,
    )
    .where(sql<boolean>`(s.created_at, s.id) < (${$.at}, ${$.id})`)
    .orderBy("s.created_at", "desc")
    .orderBy("s.id", "desc")
    .limit($.limit);

const listAll = query<ListValues>()((db, $) => newestFirst(db, $));

const listOfAccount = query<ListValues & { account: string }>()((db, $) =>
  newestFirst(db, $).where("s.account_id", "=", $.account),
);

const find = query<{ id: string; viewer: string | null; admin: number }>()((db, $) =>
  linkedServers(db)
    .where("s.id", "=", $.id)
    .where((eb) => eb.or([eb("s.account_id", "=", $.viewer), sql<boolean>`cast(${$.admin} as integer) = 1`])),
);

const findMonitored = query<{ id: string; account: string }>()((db, $) =>
  monitored(db).where("s.id", "=", $.id).where("s.account_id", "=", $.account),
);

const update = query<{
  id: string;
  name: string | null;
  is_public: number;
  show_address: number;
  notify: number;
  address: string | null;
  port: number | null;
  group: string | null;
}>()((db, $) =>
  db
    .updateTable("server")
    .set({
      name: $.name,
      is_public: $.is_public,
      show_address_on_report: $.show_address,
      notify_on_report: $.notify,
      address: $.address,
      port: $.port,
      group_id: $.group,
    })
    .where("id", "=", $.id),
);

/** Locked until the transaction ends, so that edits of different fields do not undo each other. */
const lockById = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, linkedServers(db).where("s.id", "=", $.id)),
);

const reject = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("server").set({ last_rejected_at: $.now }).where("id", "=", $.id),
);

export function* lockLinkedServer(id: string): Work<ServerRecord | null> {
  const row = yield* one(lockById, { id });
  return row && toRecord(row);
}

export function* saveServer(server: ServerRecord): Work<void> {
  yield* run(update, {
    id: server.id,
    name: server.name,
    is_public: Number(server.isPublic),
    show_address: Number(server.showAddressOnReport),
    notify: Number(server.notifyOnReport),
    address: server.address,
    port: server.port,
    group: server.groupId,
  });
}

export function* selectServers(
  viewer: Viewer,
  { verified, ownerId }: ServerFilter,
  after: TimePosition | null,
  limit: number,
): Work<ServerRecord[]> {
  const values = {
    verified: verified === null ? null : Number(verified),
    ...(after ?? fromTop),
    limit,
  };
  if (viewer.admin && ownerId === null) return (yield* all(listAll, values)).map(toRecord);
  if (viewer.accountId === null || (!viewer.admin && ownerId !== null && ownerId !== viewer.accountId))
    return [];
  return (yield* all(listOfAccount, { ...values, account: ownerId ?? viewer.accountId })).map(toRecord);
}

export function* selectServer(id: string, viewer: Viewer): Work<ServerRecord | null> {
  const row = yield* one(find, { id, viewer: viewer.accountId, admin: Number(viewer.admin) });
  return row && toRecord(row);
}

export function* selectMonitoredServer(id: string, account: string): Work<MonitoredServer | null> {
  const row = yield* one(findMonitored, { id, account });
  return row && toMonitored(row);
}

export function* updateServerRejected(id: string, now: Instant): Work<void> {
  yield* run(reject, { id, now });
}
