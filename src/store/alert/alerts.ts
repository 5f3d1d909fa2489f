import { sql } from "kysely";
import type { AlertRecord } from "../../core/alert/alert.ts";
import type { AlertStore } from "../../core/alert/store.ts";
import type { TimePosition } from "../../core/position.ts";
import { alertColumns, lockAlert, saveAlert } from "./alert-changes.ts";
import { toAlertRecord } from "./alert-rows.ts";
import { lockServer } from "../server/locks.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { evaluateServer, needsSweep } from "./evaluation.ts";
import { fromTop, query, type Builder } from "../engine/query.ts";
import { leaveTrace } from "../event/traces.ts";

type ListValues = {
  account: string;
  kind: string | null;
  status: string | null;
  since: number;
  /** No alert that opened before it was open at `since` or later. */
  floor: number;
  rule_name: string | null;
  notified: number | null;
  server: string | null;
  at: number;
  id: string;
  limit: number;
};

/** Where the list begins: before the end of the period, which no page of it reaches beyond. */
function before(after: TimePosition | null, until: number | null): TimePosition {
  const start = after ?? fromTop;
  return until === null || start.at < until ? start : { at: until, id: "" };
}

/** Newest first; a filter that is null is switched off. */
const newestFirst = (db: Builder, $: ListValues) =>
  db
    .selectFrom("alert")
    .select(alertColumns)
    .where("account_id", "=", $.account)
    .where(sql<boolean>`(cast(${$.kind} as text) is null or kind = ${$.kind})`)
    .where(sql<boolean>`(cast(${$.status} as text) is null or status = ${$.status})`)
    .where("opened_at", ">=", $.floor)
    .where(sql<boolean>`(opened_at >= ${$.since} or resolved_at is null or resolved_at > ${$.since})`)
    .where(sql<boolean>`(cast(${$.rule_name} as text) is null or rule_name = ${$.rule_name})`)
    .where(sql<boolean>`(cast(${$.notified} as integer) is null or notified = ${$.notified})`)
    .where(
      sql<boolean>`(cast(${$.server} as text) is null or (server_id = ${$.server} and exists (select 1 from server as s where s.id = ${$.server} and s.account_id = ${$.account})))`,
    )
    .where(sql<boolean>`(opened_at, id) < (${$.at}, ${$.id})`)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit($.limit);

const list = query<ListValues>()((db, $) => newestFirst(db, $));

/** The condition stands in the text as the index of alerts in progress has it. */
const listInProgress = query<ListValues>()((db, $) =>
  newestFirst(db, $).where(sql<boolean>`status <> 'resolved'`),
);

/** The oldest opening of an alert that is in progress, and of one that was over after an instant. */
const oldestInProgress = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("alert")
    .select("opened_at")
    .where("account_id", "=", $.account)
    .where(sql<boolean>`status <> 'resolved'`)
    .orderBy("opened_at")
    .orderBy("id")
    .limit(1),
);
const oldestOverAfter = query<{ account: string; since: number }>()((db, $) =>
  db
    .selectFrom("alert")
    .select((eb) => eb.fn.min<number | null>("opened_at").as("opened_at"))
    .where("account_id", "=", $.account)
    .where("resolved_at", ">", $.since),
);

function* floorOf(account: string, since: number | null): Generator<Step, number, Result> {
  if (since === null) return Number.MIN_SAFE_INTEGER;
  const inProgress = (yield* one(oldestInProgress, { account }))?.opened_at ?? since;
  const over = (yield* one(oldestOverAfter, { account, since }))?.opened_at ?? since;
  return Math.min(since, inProgress, over);
}

const find = query<{ id: string; account: string }>()((db, $) =>
  db.selectFrom("alert").select(alertColumns).where("id", "=", $.id).where("account_id", "=", $.account),
);

const watched = query<{ after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("alert_rule")
    .select("server_id")
    .distinct()
    .where("server_id", ">", $.after)
    .orderBy("server_id")
    .limit($.limit),
);

/** What is still to be sent of an alert is not sent any more. */
const callBack = query<{ alert: string }>()((db, $) =>
  db.deleteFrom("dispatch").where("alert_id", "=", $.alert),
);

type Acknowledged = Generator<Step, Awaited<ReturnType<AlertStore["acknowledge"]>>, Result>;

function* acknowledge(
  ...[id, account, by, now, traceOf]: Parameters<AlertStore["acknowledge"]>
): Acknowledged {
  const seen = yield* one(find, { id, account });
  if (!seen) return null;
  yield* lockServer(seen.server_id);
  const alert = yield* lockAlert(id);
  if (!alert) return null;
  if (alert.status !== "open") return { kind: alert.status === "resolved" ? "resolved" : "already", alert };
  yield* run(callBack, { alert: id });
  const acknowledged: AlertRecord = {
    ...alert,
    status: "acknowledged",
    acknowledgedAt: Math.max(now, alert.openedAt),
    acknowledgedBy: by,
    delivery: calledBack(alert.delivery),
  };
  yield* saveAlert(acknowledged);
  yield* leaveTrace(traceOf(alert));
  return { kind: "acknowledged", alert: acknowledged };
}

/** What had been tried failed for good; what had not is kept quiet by the person who knows of it. */
function calledBack(delivery: AlertRecord["delivery"]): AlertRecord["delivery"] {
  const settled = (record: AlertRecord["delivery"]["email"]): AlertRecord["delivery"]["email"] => {
    if (record.status !== "pending") return record;
    return record.reason === null
      ? { ...record, status: "skipped", reason: "muted" }
      : { ...record, status: "failed" };
  };
  return { email: settled(delivery.email), chat: settled(delivery.chat), in_app: settled(delivery.in_app) };
}

export function alertStore(db: Database): AlertStore {
  return {
    list: (account, filter, after, limit) =>
      db.read(function* () {
        const { kind, status, since, until, ruleName, notified, serverId } = filter;
        const values: ListValues = {
          account,
          kind: status === "open" ? "threshold" : kind,
          status: status === "open" ? null : status,
          since: since ?? Number.MIN_SAFE_INTEGER,
          floor: yield* floorOf(account, since),
          rule_name: ruleName,
          notified: notified === null ? null : Number(notified),
          server: serverId,
          ...before(after, until),
          limit,
        };
        // Event alerts are over as they are born: none is in progress.
        if (status === "open" && kind === "event") return [];
        return (yield* all(status === "open" ? listInProgress : list, values)).map(toAlertRecord);
      }),
    find: (id, account) =>
      db.read(function* () {
        const row = yield* one(find, { id, account });
        return row && toAlertRecord(row);
      }),
    acknowledge: (...request) => db.write("saved", () => acknowledge(...request)),
    sweepServer: async (id, limits, now) => {
      if (!(await db.read(() => needsSweep(id, limits, now)))) return;
      await db.write("saved", function* () {
        yield* lockServer(id);
        yield* evaluateServer(id, limits, now, null);
      });
    },
    watchedServers: (after, limit) =>
      db.read(function* () {
        return (yield* all(watched, { after: after ?? "", limit })).map(({ server_id }) => server_id);
      }),
  };
}
