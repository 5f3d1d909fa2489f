import type { AlertCounts } from "../../core/alert/alert-list-input.ts";
import type { AlertFilter } from "../../core/alert/records.ts";
import { sql } from "kysely";
import type { AlertRecord } from "../../core/alert/alert.ts";
import type { TimePosition } from "../../core/position.ts";
import { fromAlert, toAlertRecord, type AlertRow } from "./alert-rows.ts";
import { alertTable } from "./tables.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { forUpdate, fromTop, placesOf, query, type Builder, type Dialect } from "../engine/query.ts";
import { ofBoth, whoseOf, type ListedServers } from "../metric/newest-of-servers.ts";

const alertColumns = alertTable.columns;

const insert = query<AlertRow>()((db, $) => db.insertInto("alert").values(placesOf(alertColumns, $)));

const save = query<AlertRow>()((db, $) =>
  db
    .updateTable("alert")
    .set(placesOf(alertColumns, $))
    .where("id", "=", $.id)
    .where("account_id", "=", $.account_id),
);

const listById = query<{ ids: string }>()((db, $, dialect) =>
  db
    .selectFrom("alert as a")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "a.id")
    .select(alertTable.of("a")),
);

const lock = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("alert").select(alertColumns).where("id", "=", $.id)),
);

type ListValues = {
  account: string;
  kind: string | null;
  status: string | null;
  since: number;
  /** No alert opened before this instant was still open at `since`. */
  floor: number;
  rule_name: string | null;
  notified: number | null;
  channel: string | null;
  server: string | null;
  at: number;
  id: string;
  limit: number;
};

/** Where the list starts: at `after`, but never later than the end of the period. */
function before(after: TimePosition | null, until: number | null): TimePosition {
  const start = after ?? fromTop;
  return until === null || start.at < until ? start : { at: until, id: "" };
}

/** With one server, uses the index of servers: in `account_id || ''` the account's index does not fit. */
const foundOf = (db: Builder, $: Omit<ListValues, "limit">, whose: ListedServers) =>
  whose === "all servers"
    ? db.selectFrom("alert").where("account_id", "=", $.account)
    : db
        .selectFrom("alert")
        .where("server_id", "=", $.server)
        .where(sql<boolean>`account_id || '' = ${$.account}`)
        .where(
          sql<boolean>`exists (select 1 from server as s where s.id = ${$.server} and s.account_id = ${$.account})`,
        );

/** Whether a message went out on a channel, or on it as the second channel. */
const wentOutOn = (dialect: Dialect, channel: unknown) =>
  dialect === "sqlite"
    ? sql<boolean>`(json_extract(delivery, '$.' || ${channel} || '.status') = 'sent'
        or (json_extract(delivery, '$.second.channel') = ${channel}
          and json_extract(delivery, '$.second.status') = 'sent'))`
    : sql<boolean>`(cast(delivery as json) -> cast(${channel} as text) ->> 'status' = 'sent'
        or (cast(delivery as json) #>> '{second,channel}' = ${channel}
          and cast(delivery as json) #>> '{second,status}' = 'sent'))`;

const filtered = (db: Builder, $: Omit<ListValues, "limit">, whose: ListedServers, dialect: Dialect) =>
  foundOf(db, $, whose)
    .where(sql<boolean>`(cast(${$.kind} as text) is null or kind = ${$.kind})`)
    .where(sql<boolean>`(cast(${$.status} as text) is null or status = ${$.status})`)
    .where("opened_at", ">=", $.floor)
    .where(sql<boolean>`(opened_at >= ${$.since} or resolved_at is null or resolved_at > ${$.since})`)
    .where(sql<boolean>`(cast(${$.rule_name} as text) is null or rule_name = ${$.rule_name})`)
    .where(sql<boolean>`(cast(${$.notified} as integer) is null or notified = ${$.notified})`)
    .where(sql<boolean>`(cast(${$.channel} as text) is null or ${wentOutOn(dialect, $.channel)})`)
    .where(sql<boolean>`(opened_at, id) < (${$.at}, ${$.id})`);

const newestFirst = (db: Builder, $: ListValues, whose: ListedServers, dialect: Dialect) =>
  filtered(db, $, whose, dialect)
    .select(alertColumns)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit($.limit);

const list = ofBoth((whose) => query<ListValues>()((db, $, dialect) => newestFirst(db, $, whose, dialect)));

/** Must be written as in the partial index of alerts in progress, so that the index is used. */
const inProgress = sql<boolean>`status <> 'resolved'`;

const listInProgress = ofBoth((whose) =>
  query<ListValues>()((db, $, dialect) => newestFirst(db, $, whose, dialect).where(inProgress)),
);

/** Rules with the most alerts first, and the number of alerts of all rules. */
const byRule = (db: Builder, $: ListValues, whose: ListedServers, dialect: Dialect) =>
  filtered(db, $, whose, dialect)
    .select((eb) => ["rule_id", eb.fn.countAll<number>().as("alerts")])
    .select(sql<number>`cast(sum(count(*)) over () as bigint)`.as("total"))
    .groupBy("rule_id")
    .orderBy("alerts", "desc")
    .orderBy("rule_id")
    .limit($.limit);

const countByRule = ofBoth((whose) => query<ListValues>()((db, $, dialect) => byRule(db, $, whose, dialect)));
const countInProgress = ofBoth((whose) =>
  query<ListValues>()((db, $, dialect) => byRule(db, $, whose, dialect).where(inProgress)),
);

/** Opening of the oldest alert in progress; below, of the oldest alert resolved after `since`. */
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

function* floorOf(account: string, since: number | null): Work<number> {
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

/** Deletes the alert's messages that are still to be sent. */
export const dropDispatches = query<{ alert: string }>()((db, $) =>
  db.deleteFrom("dispatch").where("alert_id", "=", $.alert),
);

type Found = Work<AlertRecord | null>;

export function* alertOfAccount(id: string, account: string): Found {
  const row = yield* one(find, { id, account });
  return row && toAlertRecord(row);
}

export function* alertsById(ids: readonly string[]): Work<AlertRecord[]> {
  return ids.length === 0 ? [] : (yield* all(listById, { ids: JSON.stringify(ids) })).map(toAlertRecord);
}

export function* lockAlert(id: string): Found {
  const row = yield* one(lock, { id });
  return row && toAlertRecord(row);
}

export function* insertAlert(alert: AlertRecord): Work<void> {
  yield* run(insert, fromAlert(alert));
}

export function* saveAlert(alert: AlertRecord): Work<void> {
  yield* run(save, fromAlert(alert));
}

function* valuesOf(
  account: string,
  { kind, status, since, until, ruleName, notified, channel, serverId }: AlertFilter,
  after: TimePosition | null,
  limit: number,
): Work<ListValues> {
  return {
    account,
    kind: status === "open" ? "threshold" : kind,
    status: status === "open" ? null : status,
    since: since ?? Number.MIN_SAFE_INTEGER,
    floor: yield* floorOf(account, since),
    rule_name: ruleName,
    notified: notified === null ? null : Number(notified),
    channel: channel ?? null,
    server: serverId,
    ...before(after, until),
    limit,
  };
}

/** Event alerts are closed when they are created, so none is ever open. */
const isNone = ({ status, kind }: AlertFilter): boolean => status === "open" && kind === "event";

export function* selectAlerts(
  account: string,
  filter: AlertFilter,
  after: TimePosition | null,
  limit: number,
): Work<AlertRecord[]> {
  if (isNone(filter)) return [];
  const values = yield* valuesOf(account, filter, after, limit);
  const lists = filter.status === "open" ? listInProgress : list;
  return (yield* all(lists[whoseOf(filter.serverId)], values)).map(toAlertRecord);
}

/** Number of matching alerts, and of each rule for at most `limit` rules. */
export function* selectAlertCounts(account: string, filter: AlertFilter, limit: number): Work<AlertCounts> {
  if (isNone(filter)) return { alerts: 0, rules: [] };
  const values = yield* valuesOf(account, filter, null, limit);
  const counts = filter.status === "open" ? countInProgress : countByRule;
  const rows = yield* all(counts[whoseOf(filter.serverId)], values);
  return {
    alerts: Number(rows[0]?.total ?? 0),
    rules: rows.map(({ rule_id, alerts }) => ({ ruleId: rule_id, alerts: Number(alerts) })),
  };
}

export function* selectWatchedServers(after: string | null, limit: number): Work<string[]> {
  return (yield* all(watched, { after: after ?? "", limit })).map(({ server_id }) => server_id);
}
