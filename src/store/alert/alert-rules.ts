import type { RuleRecord } from "../../core/alert/alert-rule.ts";
import { fromRule, ruleColumns, toRule, type RuleRow } from "./alert-rows.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { onPage, pageValues, type RulesOfAccount, type RulesOfAccountValues } from "./rules-page.ts";
import { placesOf, query, type Builder } from "../engine/query.ts";

const rules = (db: Builder) =>
  db.selectFrom("alert_rule as r").select(ruleColumns.map((column) => `r.${column}` as const));

const list = query<{ server: string }>()((db, $) =>
  rules(db).where("r.server_id", "=", $.server).orderBy("r.created_at", "desc").orderBy("r.id", "desc"),
);

const listOfServers = query<{ ids: string }>()((db, $, dialect) =>
  rules(db).innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "r.server_id"),
);

const listOfAccount = query<RulesOfAccountValues>()((db, $) =>
  rules(db)
    .innerJoin("server as s", "s.id", "r.server_id")
    .where("s.account_id", "=", $.account)
    .where(onPage($))
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit($.limit),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  rules(db)
    .innerJoin("server as s", "s.id", "r.server_id")
    .where("r.id", "=", $.id)
    .where("s.account_id", "=", $.account),
);

const findById = query<{ id: string }>()((db, $) => rules(db).where("r.id", "=", $.id));

const tally = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("alert_rule")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("server_id", "=", $.server),
);

const insert = query<RuleRow>()((db, $) => db.insertInto("alert_rule").values(placesOf(ruleColumns, $)));

const save = query<RuleRow>()((db, $) =>
  db
    .updateTable("alert_rule")
    .set(placesOf(ruleColumns, $))
    .where("id", "=", $.id)
    .where("server_id", "=", $.server_id),
);

export const dropAlertRule = query<{ id: string }>()((db, $) =>
  db.deleteFrom("alert_rule").where("id", "=", $.id),
);

export function* saveRule(rule: RuleRecord): Work<void> {
  yield* run(save, fromRule(rule));
}

export function* rulesOf(server: string): Work<RuleRecord[]> {
  return (yield* all(list, { server })).map(toRule);
}

export function* rulesOfServers(ids: readonly string[]): Work<RuleRecord[]> {
  return (yield* all(listOfServers, { ids: JSON.stringify(ids) })).map(toRule);
}

export function* alertRulesOfAccount(asked: RulesOfAccount): Work<RuleRecord[]> {
  return (yield* all(listOfAccount, pageValues(asked))).map(toRule);
}

type Found = Work<RuleRecord | null>;

export function* alertRuleOfAccount(id: string, account: string): Found {
  const row = yield* one(find, { id, account });
  return row && toRule(row);
}

export function* alertRuleById(id: string): Found {
  const row = yield* one(findById, { id });
  return row && toRule(row);
}

export function* countAlertRules(server: string): Work<number> {
  return (yield* one(tally, { server }))?.count ?? 0;
}

export function* insertAlertRule(rule: RuleRecord): Work<void> {
  yield* run(insert, fromRule(rule));
}
