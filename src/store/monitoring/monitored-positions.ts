import { sql } from "kysely";
import { query } from "../engine/query.ts";

export const positionOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("monitoring_order").select(["account_id", "position"]).where("server_id", "=", $.server),
);

export const positionBefore = query<{ account: string; linked: number; server: string }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("monitoring_order as o", "o.server_id", "s.id")
    .select("o.position")
    .where("s.account_id", "=", $.account)
    .where("s.monitoring_enabled", "=", 1)
    .where(sql<boolean>`(s.linked_at, s.id) < (${$.linked}, ${$.server})`)
    .orderBy("s.linked_at", "desc")
    .orderBy("s.id", "desc")
    .limit(1),
);

export const serversAtPositions = query<{ account: string; first: number; last: number }>()((db, $) =>
  db
    .selectFrom("monitoring_order")
    .select("server_id")
    .where("account_id", "=", $.account)
    .where("position", ">=", $.first)
    .where("position", "<=", $.last)
    .orderBy("position"),
);

/** The position of the newest monitored server, which is their number; null if there are none. */
export const lastPosition = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("monitoring_order")
    .select((eb) => eb.fn.max<number | null>("position").as("position"))
    .where("account_id", "=", $.account),
);

export const shiftFrom = query<{ account: string; position: number; by: number }>()((db, $) =>
  db
    .updateTable("monitoring_order")
    .set((row) => ({ position: row("position", "+", $.by) }))
    .where("account_id", "=", $.account)
    .where("position", ">=", $.position),
);

export const insertPosition = query<{ server: string; account: string; position: number }>()((db, $) =>
  db
    .insertInto("monitoring_order")
    .values({ server_id: $.server, account_id: $.account, position: $.position }),
);

export const deletePosition = query<{ server: string }>()((db, $) =>
  db.deleteFrom("monitoring_order").where("server_id", "=", $.server),
);

/** For an account whose servers leave one after the other. */
export const deletePositionsOf = query<{ account: string }>()((db, $) =>
  db.deleteFrom("monitoring_order").where("account_id", "=", $.account),
);
