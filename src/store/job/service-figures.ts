import { sql } from "kysely";
import { all, one, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { ofServedAccount } from "../access/served-accounts.ts";

/** What waits and what is in progress, in the whole service. */
export interface ServiceFigures {
  readonly alerts: readonly { readonly kind: string; readonly status: string; readonly count: number }[];
  /** Messages that are still to be sent, by channel; those that are held for a disabled account wait for nobody. */
  readonly waiting: Readonly<Record<string, number>>;
  /** When the oldest of those that are due became due; null when nothing is. */
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

/** Reads the figures that `/metrics` shows of the database. */
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
