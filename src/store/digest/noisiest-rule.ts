import type { NoisyRule } from "../../core/digest/facts.ts";
import type { Instant } from "../../core/time.ts";
import { one, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";

type Week = { account: string; from: number; to: number };

const ofWeek = query<Week>()((db, $) =>
  db
    .selectFrom("alert")
    .select((eb) => [
      eb.fn.countAll<number>().as("alerts"),
      eb.fn.count<number>("rule_id").distinct().as("rules"),
    ])
    .where("account_id", "=", $.account)
    .where("opened_at", ">=", $.from)
    .where("opened_at", "<", $.to),
);

const noisiest = query<Week>()((db, $) =>
  db
    .selectFrom("alert")
    .select((eb) => ["rule_id", eb.fn.countAll<number>().as("alerts")])
    .where("account_id", "=", $.account)
    .where("opened_at", ">=", $.from)
    .where("opened_at", "<", $.to)
    .groupBy("rule_id")
    .orderBy("alerts", "desc")
    .orderBy("rule_id")
    .limit(1),
);

const newestOf = query<Week & { rule: string }>()((db, $) =>
  db
    .selectFrom("alert")
    .select(["rule_name", "server_name"])
    .where("account_id", "=", $.account)
    .where("opened_at", ">=", $.from)
    .where("opened_at", "<", $.to)
    .where("rule_id", "=", $.rule)
    .orderBy("opened_at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

interface WeekAlerts {
  readonly count: number;
  readonly rules: number;
  readonly noisiest: NoisyRule | null;
}

/** Alerts opened from `from` to before `to`: how many, of how many rules, and the rule with the most. */
export function* selectWeekAlerts(account: string, from: Instant, to: Instant): Work<WeekAlerts> {
  const week = { account, from, to };
  const counts = yield* one(ofWeek, week);
  const most = yield* one(noisiest, week);
  const newest = most && (yield* one(newestOf, { ...week, rule: most.rule_id }));
  return {
    count: Number(counts?.alerts ?? 0),
    rules: Number(counts?.rules ?? 0),
    noisiest: newest && {
      name: newest.rule_name,
      serverName: newest.server_name,
      alerts: Number(most?.alerts ?? 0),
    },
  };
}
