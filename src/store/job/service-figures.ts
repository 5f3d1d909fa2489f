import { sql } from "kysely";
import { all, one, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { ofServedAccount } from "../access/served-accounts.ts";

export interface ServiceFigures {
  readonly alerts: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
  /** Messages still to be sent, by channel, without those held for suspended accounts. */
  readonly waiting: Readonly<Record<string, number>>;
  /** When the oldest due message became due; null if none is due. */
  readonly oldestDueAt: number | null;
  readonly runs: readonly { readonly status: string; readonly count: number }[];
}

const alertsInProgress = query<Record<string, never>>()((db) =>
  db
    .selectFrom("alert")
    .select(["kind", "status", (eb) => eb.fn.countAll<number>().as("count")])
    .where(sql<boolean>`status <> 'resolved'`)
    .groupBy(["kind", "status"]),
);

const waitingDispatches = query<Record<string, never>>()((db) =>
  db
    .selectFrom("dispatch as d")
    .where(ofServedAccount("d"))
    .select(["channel", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("channel"),
);

const oldestDue = query<{ now: number }>()((db, $) =>
  db
    .selectFrom("dispatch as d")
    .select("due_at")
    .where("due_at", "<=", $.now)
    .where(ofServedAccount("d"))
    .orderBy("due_at")
    .limit(1),
);

const unfinishedRuns = query<Record<string, never>>()((db) =>
  db
    .selectFrom("auto_bench_job")
    .select(["status", (eb) => eb.fn.countAll<number>().as("count")])
    .where("finished_at", "is", null)
    .groupBy("status"),
);

/** Figures of the database for `/metrics`. */
export function* selectServiceFigures(now: number): Work<ServiceFigures> {
  const alerts = yield* all(alertsInProgress, {});
  const dispatches = yield* all(waitingDispatches, {});
  const oldest = yield* one(oldestDue, { now });
  const runs = yield* all(unfinishedRuns, {});
  return {
    alerts: alerts.map(({ kind, status, count }) => ({ kind, status, count: Number(count) })),
    waiting: Object.fromEntries(dispatches.map(({ channel, count }) => [channel, Number(count)])),
    oldestDueAt: oldest?.due_at ?? null,
    runs: runs.map(({ status, count }) => ({ status, count: Number(count) })),
  };
}
