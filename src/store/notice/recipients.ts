import { PlanName } from "../../core/access/plan.ts";
import { defaultSettings, type Recipient } from "../../core/notice/records.ts";
import { type Work, one } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { notificationSettingTable } from "./tables.ts";

const accountOf = query<{ id: string }>()((db, $) =>
  db.selectFrom("account").select(["id", "email", "email_verified", "plan"]).where("id", "=", $.id),
);

const settingsOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("notification_setting").selectAll().where("account_id", "=", $.account),
);

export function* recipientOf(accountId: string): Work<Recipient | null> {
  const account = yield* one(accountOf, { id: accountId });
  if (!account) return null;
  const row = yield* one(settingsOf, { account: accountId });
  return {
    accountId,
    email: account.email,
    emailVerified: account.email_verified === 1,
    plan: PlanName.parse(account.plan),
    settings: row ? notificationSettingTable.toRecord(row) : defaultSettings,
  };
}
