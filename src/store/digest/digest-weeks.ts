import { weekMs } from "../../core/digest/week.ts";
import type { Instant } from "../../core/time.ts";
import { all, run, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { PlanName } from "../../core/access/plan.ts";

type Due = { week: number; wrong: number };

/** A stored week later than `wrong` was written by a wrong clock, and does not count. */
const dueOf = (week: Instant): Due => ({ week, wrong: week + weekMs });

const due = query<Due & { after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("notification_setting as n")
    .innerJoin("account as a", "a.id", "n.account_id")
    .select(["a.id", "a.plan"])
    .where("n.account_id", ">", $.after)
    .where("a.role", "<>", "suspended")
    .where((eb) => eb.or([eb("n.digest_email", "=", 1), eb("n.digest_chat", "=", 1)]))
    .where((eb) =>
      eb.or([
        eb("n.digest_week", "is", null),
        eb("n.digest_week", "<", $.week),
        eb("n.digest_week", ">", $.wrong),
      ]),
    )
    .orderBy("n.account_id")
    .limit($.limit),
);

const claim = query<Due & { account: string }>()((db, $) =>
  db
    .updateTable("notification_setting")
    .set({ digest_week: $.week })
    .where("account_id", "=", $.account)
    .where((eb) => eb.or([eb("digest_email", "=", 1), eb("digest_chat", "=", 1)]))
    .where((eb) =>
      eb.or([eb("digest_week", "is", null), eb("digest_week", "<", $.week), eb("digest_week", ">", $.wrong)]),
    ),
);

const skip = query<{ account: string; week: number }>()((db, $) =>
  db.updateTable("notification_setting").set({ digest_week: $.week }).where("account_id", "=", $.account),
);

export interface DueDigest {
  readonly accountId: string;
  readonly plan: PlanName;
}

/** Accounts that want the week's digest and have not got it, by id. */
export function* selectDueDigests(week: Instant, after: string, limit: number): Work<DueDigest[]> {
  const rows = yield* all(due, { ...dueOf(week), after, limit });
  return rows.map(({ id, plan }) => ({ accountId: id, plan: PlanName.parse(plan) }));
}

/** Notes the week's digest as sent; false if it was sent before, or is no longer wanted. */
export function* claimDigestWeek(account: string, week: Instant): Work<boolean> {
  return (yield* run(claim, { account, ...dueOf(week) })) > 0;
}

export function* skipDigestWeek(account: string, week: Instant): Work<void> {
  yield* run(skip, { account, week });
}
