import { isDeepStrictEqual } from "node:util";
import type { EventRuleRecord } from "../../core/alert/event-rule.ts";
import type { EventRuleStore } from "../../core/alert/store.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { lockServer, requireServer } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";
import { findSame, noteMade } from "../access/replays.ts";
import type { RowOf } from "../engine/table.ts";
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

const remove = query<{ id: string }>()((db, $) => db.deleteFrom("event_rule").where("id", "=", $.id));

const tally = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("event_rule")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("server_id", "=", $.server),
);

export function* eventRulesOf(server: string): Generator<Step, EventRuleRecord[], Result> {
  return (yield* all(list, { server })).map(eventRuleTable.toRecord);
}

export function* saveEventRule(rule: EventRuleRecord): Generator<Step, void, Result> {
  yield* run(save, eventRuleTable.toRow(rule));
}

type Held = Generator<Step, EventRuleRecord | null, Result>;

/** Where the lock on the server also holds back the same request: its body names the server. */
function* create(...[rule, limit, replay]: Parameters<EventRuleStore["create"]>): Held {
  yield* requireServer(rule.serverId);
  for (const { id, updatedAt } of replay ? yield* findSame(replay) : []) {
    const row = yield* one(find, { id, account: replay?.accountId ?? "" });
    if (row?.updated_at === updatedAt) return eventRuleTable.toRecord(row);
  }
  const counted = yield* one(tally, { server: rule.serverId });
  if ((counted?.count ?? 0) >= limit) return null;
  yield* run(insert, eventRuleTable.toRow(rule));
  if (replay) yield* noteMade(replay, rule.id, rule.updatedAt);
  return rule;
}

/** The account's rule as it stands, with everything that may change it waiting; null when there is none. */
function* hold(id: string, account: string): Held {
  const seen = yield* one(find, { id, account });
  if (!seen) return null;
  yield* lockServer(seen.server_id);
  const row = yield* one(find, { id, account });
  return row && eventRuleTable.toRecord(row);
}

function* change(...[id, account, now, decide]: Parameters<EventRuleStore["change"]>): Held {
  const before = yield* hold(id, account);
  if (!before) return null;
  const after = { ...before, ...decide(before) };
  if (isDeepStrictEqual(after, before)) return before;
  const changed = { ...after, updatedAt: Math.max(now, before.updatedAt + 1) };
  yield* saveEventRule(changed);
  return changed;
}

export function eventRuleStore(db: Database): EventRuleStore {
  return {
    list: (server) => db.read(() => eventRulesOf(server)),
    create: (...request) => db.write("saved", () => create(...request)),
    find: (id, account) =>
      db.read(function* () {
        const row = yield* one(find, { id, account });
        return row && eventRuleTable.toRecord(row);
      }),
    change: (...request) => db.write("saved", () => change(...request)),
    delete: (id, account) =>
      db.write("saved", function* () {
        if (!(yield* hold(id, account))) return false;
        yield* run(remove, { id });
        return true;
      }),
  };
}
