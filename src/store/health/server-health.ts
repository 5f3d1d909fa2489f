import type { StoredHealth } from "../../core/health/stored-health.ts";
import type { Instant } from "../../core/time.ts";
import { sql } from "kysely";
import { all, one, run, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { serverHealthTable } from "./tables.ts";

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("server_health").select(serverHealthTable.columns).where("server_id", "=", $.server),
);

const findOfServers = query<{ ids: string }>()((db, $, dialect) =>
  db
    .selectFrom("server_health as h")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "h.server_id")
    .select(serverHealthTable.of("h")),
);

const upsert = query<RowOf<typeof serverHealthTable>>()((db, $) =>
  db
    .insertInto("server_health")
    .values(placesOf(serverHealthTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("server_id").doUpdateSet((eb) => ({
        verdict: eb.ref("excluded.verdict"),
        since: eb.ref("excluded.since"),
        reasons: eb.ref("excluded.reasons"),
        headline: eb.ref("excluded.headline"),
        evaluated_at: eb.ref("excluded.evaluated_at"),
        verdict_from: eb.ref("excluded.verdict_from"),
        announced: eb.ref("excluded.announced"),
        beginnings: eb.ref("excluded.beginnings"),
        reopened_from: eb.ref("excluded.reopened_from"),
      })),
    ),
);

/** Each mark is a new negative number, so that an evaluation knows which mark it has seen. */
const nextMark = sql<number>`case when evaluated_at < 0 then evaluated_at - 1 else -1 end`;

const markDue = query<{ server: string }>()((db, $) =>
  db.updateTable("server_health").set({ evaluated_at: nextMark }).where("server_id", "=", $.server),
);

const reopen = query<{ server: string; from: number }>()((db, $) =>
  db
    .updateTable("server_health")
    .set({
      evaluated_at: nextMark,
      reopened_from: sql<number>`case when reopened_from < ${$.from} then reopened_from else ${$.from} end`,
    })
    .where("server_id", "=", $.server),
);

export function* storedHealthOf(serverId: string): Work<StoredHealth | null> {
  const row = yield* one(find, { server: serverId });
  return row && serverHealthTable.toRecord(row);
}

/** By server id; servers without an evaluation are absent. */
export function* storedHealthOfServers(ids: readonly string[]): Work<Map<string, StoredHealth>> {
  const rows = yield* all(findOfServers, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.server_id, serverHealthTable.toRecord(row)]));
}

export function* saveHealth(health: StoredHealth): Work<void> {
  yield* run(upsert, serverHealthTable.toRow(health));
}

/** Makes the server's evaluation due when its next bucket closes, even if nothing changed. */
export function* markHealthDue(serverId: string): Work<void> {
  yield* run(markDue, { server: serverId });
}

/** Has the server judged again from a past time on, when its next bucket closes. */
export function* markReopened(serverId: string, from: Instant): Work<void> {
  yield* run(reopen, { server: serverId, from });
}
