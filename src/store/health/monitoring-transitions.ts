import type { MonitoringTransition, TransitionKind } from "../../core/health/monitoring-transition.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import { all, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { monitoringTransitionTable } from "./tables.ts";

/** Longer than any plan's retention. */
const keptMs = 400 * dayMs;

const mostTransitions = 1000;

const add = query<RowOf<typeof monitoringTransitionTable>>()((db, $) =>
  db
    .insertInto("monitoring_transition")
    .values(placesOf(monitoringTransitionTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "at", "kind"]).doNothing()),
);

const drop = query<{ server: string; before: number }>()((db, $) =>
  db.deleteFrom("monitoring_transition").where("server_id", "=", $.server).where("at", "<", $.before),
);

const newest = query<{ server: string; to: number; limit: number }>()((db, $) =>
  db
    .selectFrom("monitoring_transition")
    .select(["at", "kind"])
    .where("server_id", "=", $.server)
    .where("at", "<", $.to)
    .orderBy("at", "desc")
    .limit($.limit),
);

/** Adds a transition, and deletes those older than any retention. */
export function* addTransition(serverId: string, at: Instant, kind: TransitionKind): Work<void> {
  yield* run(drop, { server: serverId, before: at - keptMs });
  yield* run(add, monitoringTransitionTable.toRow({ serverId, at, kind }));
}

export function* transitionsOf(serverId: string, to: Instant): Work<MonitoringTransition[]> {
  const rows = yield* all(newest, { server: serverId, to, limit: mostTransitions });
  return rows
    .toReversed()
    .map(({ at, kind }) => monitoringTransitionTable.toRecord({ server_id: serverId, at, kind }))
    .map(({ at, kind }) => ({ at, kind }));
}
