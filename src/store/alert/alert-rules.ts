import type { AlertRuleStore } from "../../core/alert/store.ts";
import { freshProgress, type RuleRecord } from "../../core/alert/alert-rule.ts";
import type { ResolutionReason } from "../../core/alert/alert.ts";
import { changeRule } from "../../core/alert/change-rule.ts";
import { isMuted } from "../../core/alert/quiet.ts";
import { isInMaintenance } from "../../core/maintenance/maintenance.ts";
import type { Replayed } from "../../core/replay.ts";
import { fromRule, ruleColumns, toRule, type RuleRow } from "./alert-rows.ts";
import { lockAlert, resolveAlert } from "./alert-changes.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { maintenanceOf } from "../maintenance/maintenance.ts";
import { lockAccount, lockServer, requireServerOf } from "../server/locks.ts";
import { placesOf, query, type Builder } from "../engine/query.ts";
import { findEarlier, noteMade } from "../access/replays.ts";
import { leaveTrace } from "../event/traces.ts";

const rules = (db: Builder) =>
  db.selectFrom("alert_rule as r").select(ruleColumns.map((column) => `r.${column}` as const));

const list = query<{ server: string }>()((db, $) =>
  rules(db).where("r.server_id", "=", $.server).orderBy("r.created_at", "desc").orderBy("r.id", "desc"),
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
  db.updateTable("alert_rule").set(placesOf(ruleColumns, $)).where("id", "=", $.id),
);

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("alert_rule").where("id", "=", $.id));

/** Writes a rule as it is now, evaluation included. */
export function* saveRule(rule: RuleRecord): Generator<Step, void, Result> {
  yield* run(save, fromRule(rule));
}

/** All rules of a server, for the evaluation that holds its lock. */
export function* rulesOf(server: string): Generator<Step, RuleRecord[], Result> {
  return (yield* all(list, { server })).map(toRule);
}

type Created = Generator<Step, Replayed<RuleRecord> | null, Result>;

function* create(...[made, replay]: Parameters<AlertRuleStore["create"]>): Created {
  // Not the server: a key is the account's, and two requests with one key may name different servers.
  yield* lockAccount(made.accountId);
  const earlier = yield* findEarlier(replay);
  if (earlier === "mismatch") return { kind: "mismatch" };
  for (const { id, updatedAt } of earlier) {
    const row = yield* one(find, { id, account: made.accountId });
    // Without a key only a result that still stands unchanged is the same intent.
    if (row && (replay.key !== null || row.updated_at === updatedAt))
      return { kind: "same", value: toRule(row) };
  }
  yield* requireServerOf(made.accountId, made.serverId);
  const counted = yield* one(tally, { server: made.serverId });
  if ((counted?.count ?? 0) >= made.limit) return null;
  const rule: RuleRecord = {
    ...made.definition,
    id: made.id,
    serverId: made.serverId,
    muteToldUntil: null,
    progress: freshProgress(made.definition.enabled, made.now),
    lastTriggeredAt: null,
    lastNotifiedAt: null,
    openAlertId: null,
    createdAt: made.now,
    updatedAt: made.now,
  };
  yield* run(insert, fromRule(rule));
  yield* noteMade(replay, rule.id, rule.updatedAt);
  return { kind: "created", value: rule };
}

type Changed = Generator<Step, RuleRecord | null, Result>;

function* change(...[id, account, now, decide]: Parameters<AlertRuleStore["change"]>): Changed {
  const seen = yield* one(find, { id, account });
  if (!seen) return null;
  yield* lockServer(seen.server_id);
  const row = yield* one(findById, { id });
  if (!row) return null;
  const before = toRule(row);
  const { definition, muteToldUntil, traces } = decide(before);
  const { rule: changed, closes } = changeRule(before, definition, muteToldUntil, now);
  if (changed === before) return before;
  for (const trace of traces) yield* leaveTrace(trace);
  if (closes !== null) yield* closeAlert(changed, closes, now);
  const rule = closes === null ? changed : { ...changed, openAlertId: null };
  yield* saveRule(rule);
  return rule;
}

/** Ends the open alert of a rule that does not watch for it any more. */
function* closeAlert(rule: RuleRecord, reason: ResolutionReason, now: number): Generator<Step, void, Result> {
  if (rule.openAlertId === null) return;
  const alert = yield* lockAlert(rule.openAlertId);
  const quiet = isMuted(rule, now) || isInMaintenance(yield* maintenanceOf(rule.serverId), now);
  if (alert) yield* resolveAlert(alert, reason, quiet, now);
}

function* deleteRule(id: string, account: string, now: number): Generator<Step, boolean, Result> {
  const seen = yield* one(find, { id, account });
  if (!seen) return false;
  yield* lockServer(seen.server_id);
  const row = yield* one(findById, { id });
  if (!row) return false;
  yield* closeAlert(toRule(row), "rule_deleted", now);
  yield* run(remove, { id });
  return true;
}

export function alertRuleStore(db: Database): AlertRuleStore {
  return {
    list: (server) => db.read(() => rulesOf(server)),
    find: (id, account) =>
      db.read(function* () {
        const row = yield* one(find, { id, account });
        return row && toRule(row);
      }),
    create: (rule, replay) => db.write("saved", () => create(rule, replay)),
    change: (id, account, now, decide) => db.write("saved", () => change(id, account, now, decide)),
    delete: (...request) => db.write("saved", () => deleteRule(...request)),
  };
}
