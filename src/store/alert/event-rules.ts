import { z } from "zod";
import { eventPresets, type EventPreset, type EventRuleRecord } from "../../core/alert/event-rule.ts";
import type { EventRuleStore } from "../../core/alert/store.ts";
import { EventCategory, EventSeverity } from "../../core/event/server-event.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

type Row = Pick<Tables["event_rule"], (typeof columns)[number]>;

const columns = [
  "id",
  "server_id",
  "name",
  "preset",
  "event_types",
  "categories",
  "min_severity",
  "sources",
  "cooldown_minutes",
  "notify_email",
  "notify_chat",
  "notify_in_app",
  "enabled",
  "muted_until",
  "last_triggered_at",
  "last_notified_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Tables["event_rule"])[];

const Texts = z.array(z.string());
const Categories = z.array(EventCategory);
const presetNames = Object.keys(eventPresets) as EventPreset[];

const toRule = (row: Row): EventRuleRecord => ({
  id: row.id,
  serverId: row.server_id,
  name: row.name,
  preset: presetNames.find((name) => name === row.preset) ?? null,
  eventTypes: Texts.parse(JSON.parse(row.event_types)),
  categories: Categories.parse(JSON.parse(row.categories)),
  minSeverity: EventSeverity.nullable().parse(row.min_severity),
  sources: Texts.parse(JSON.parse(row.sources)),
  cooldownMinutes: row.cooldown_minutes,
  notify: { email: row.notify_email === 1, chat: row.notify_chat === 1, in_app: row.notify_in_app === 1 },
  enabled: row.enabled === 1,
  mutedUntil: row.muted_until,
  lastTriggeredAt: row.last_triggered_at,
  lastNotifiedAt: row.last_notified_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const fromRule = (rule: EventRuleRecord): Row => ({
  id: rule.id,
  server_id: rule.serverId,
  name: rule.name,
  preset: rule.preset,
  event_types: JSON.stringify(rule.eventTypes),
  categories: JSON.stringify(rule.categories),
  min_severity: rule.minSeverity,
  sources: JSON.stringify(rule.sources),
  cooldown_minutes: rule.cooldownMinutes,
  notify_email: Number(rule.notify.email),
  notify_chat: Number(rule.notify.chat),
  notify_in_app: Number(rule.notify.in_app),
  enabled: Number(rule.enabled),
  muted_until: rule.mutedUntil,
  last_triggered_at: rule.lastTriggeredAt,
  last_notified_at: rule.lastNotifiedAt,
  created_at: rule.createdAt,
  updated_at: rule.updatedAt,
});

const list = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("event_rule")
    .select(columns)
    .where("server_id", "=", $.server)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc"),
);

const insert = query<Row>()((db, $) => db.insertInto("event_rule").values(placesOf(columns, $)));

const save = query<Row>()((db, $) =>
  db.updateTable("event_rule").set(placesOf(columns, $)).where("id", "=", $.id),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  db
    .selectFrom("event_rule as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select(columns.map((column) => `r.${column}` as const))
    .where("r.id", "=", $.id)
    .where("s.account_id", "=", $.account),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("event_rule").where("id", "=", $.id));

const tally = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("event_rule")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("server_id", "=", $.server),
);

const findStops = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("server_event")
    .select("timeline_at")
    .where("server_id", "=", $.server)
    .where("type", "=", "server_stop")
    .where("timeline_at", ">=", $.from)
    .where("timeline_at", "<=", $.to),
);

/** An opening of the rule that was queued within the cooldown and is still to be sent. */
const findOpening = query<{ rule: string; since: number; now: number }>()((db, $) =>
  db
    .selectFrom("dispatch")
    .select("id")
    .where("rule_id", "=", $.rule)
    .where("purpose", "=", "opened")
    .where("created_at", ">", $.since)
    .where("created_at", "<=", $.now)
    .limit(1),
);

export function* eventRulesOf(server: string): Generator<Step, EventRuleRecord[], Result> {
  return (yield* all(list, { server })).map(toRule);
}

export function* saveEventRule(rule: EventRuleRecord): Generator<Step, void, Result> {
  yield* run(save, fromRule(rule));
}

/** The times of a server's stops between two instants. */
export function* stopsBetween(server: string, from: number, to: number): Generator<Step, number[], Result> {
  return (yield* all(findStops, { server, from, to })).map(({ timeline_at }) => timeline_at);
}

/** Whether an opening of the rule that was queued after `since` is still to be sent. */
export function* hasOpeningQueued(
  rule: string,
  since: number,
  now: number,
): Generator<Step, boolean, Result> {
  return (yield* one(findOpening, { rule, since, now })) !== null;
}

/** The rule as it stands; null when the account has no such rule. */
export function* eventRuleOfAccount(
  id: string,
  account: string,
): Generator<Step, EventRuleRecord | null, Result> {
  const row = yield* one(find, { id, account });
  return row && toRule(row);
}

export function* countEventRules(server: string): Generator<Step, number, Result> {
  return (yield* one(tally, { server }))?.count ?? 0;
}

export function* insertEventRule(rule: EventRuleRecord): Generator<Step, void, Result> {
  yield* run(insert, fromRule(rule));
}

export function* dropEventRule(id: string): Generator<Step, void, Result> {
  yield* run(remove, { id });
}

export const eventRuleReads = (db: Database): Pick<EventRuleStore, "list" | "find"> => ({
  list: (server) => db.read(() => eventRulesOf(server)),
  find: (id, account) => db.read(() => eventRuleOfAccount(id, account)),
});
