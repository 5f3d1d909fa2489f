import { sql } from "kysely";
import type { EventRuleRecord } from "../../core/alert/event-rule.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { ofTypeSince } from "../event/event-page.ts";
import { onPage, pageValues, type RulesOfAccount, type RulesOfAccountValues } from "./rules-page.ts";
import { eventRuleTable } from "./tables.ts";

type Row = RowOf<typeof eventRuleTable>;

const list = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("event_rule")
    .select(eventRuleTable.columns)
    .where("server_id", "=", $.server)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc"),
);

const listOfAccount = query<RulesOfAccountValues>()((db, $) =>
  db
    .selectFrom("event_rule as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select(eventRuleTable.of("r"))
    .where("s.account_id", "=", $.account)
    .where(onPage($))
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit($.limit),
);

const insert = query<Row>()((db, $) =>
  db.insertInto("event_rule").values(placesOf(eventRuleTable.columns, $)),
);

const save = query<Row>()((db, $) =>
  db.updateTable("event_rule").set(placesOf(eventRuleTable.columns, $)).where("id", "=", $.id),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  db
    .selectFrom("event_rule as r")
    .innerJoin("server as s", "s.id", "r.server_id")
    .select(eventRuleTable.of("r"))
    .where("r.id", "=", $.id)
    .where("s.account_id", "=", $.account),
);

export const dropEventRule = query<{ id: string }>()((db, $) =>
  db.deleteFrom("event_rule").where("id", "=", $.id),
);

const tally = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("event_rule")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("server_id", "=", $.server),
);

const findStops = query<{ server: string; from: number; to: number }>()((db, $) =>
  db
    .selectFrom("server_event as e")
    .select("e.timeline_at")
    .where(ofTypeSince(sql`${$.server}`, sql.lit("server_stop"), sql`${$.from}`))
    .where("e.timeline_at", "<=", $.to),
);

/** An "opened" message of the rule that was queued within the cooldown and is still to be sent. */
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

export function* eventRulesOf(server: string): Work<EventRuleRecord[]> {
  return (yield* all(list, { server })).map(eventRuleTable.toRecord);
}

export function* eventRulesOfAccount(asked: RulesOfAccount): Work<EventRuleRecord[]> {
  return (yield* all(listOfAccount, pageValues(asked))).map(eventRuleTable.toRecord);
}

export function* saveEventRule(rule: EventRuleRecord): Work<void> {
  yield* run(save, eventRuleTable.toRow(rule));
}

export function* stopsBetween(server: string, from: number, to: number): Work<number[]> {
  return (yield* all(findStops, { server, from, to })).map(({ timeline_at }) => timeline_at);
}

export function* hasOpeningQueued(rule: string, since: number, now: number): Work<boolean> {
  return (yield* one(findOpening, { rule, since, now })) !== null;
}

export function* eventRuleOfAccount(id: string, account: string): Work<EventRuleRecord | null> {
  const row = yield* one(find, { id, account });
  return row && eventRuleTable.toRecord(row);
}

export function* countEventRules(server: string): Work<number> {
  return (yield* one(tally, { server }))?.count ?? 0;
}

export function* insertEventRule(rule: EventRuleRecord): Work<void> {
  yield* run(insert, eventRuleTable.toRow(rule));
}
