import { defaultSettings, type NotificationSettings } from "../../core/notice/records.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { saveSettings } from "../../store/notice/notification-settings.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { lockAccount } from "../../store/server/locks.ts";

type Change = (settings: NotificationSettings) => NotificationSettings;

/** The caller must hold the account's lock. */
export function* changeHeldSettings(account: string, change: Change, now: Instant): Work<void> {
  const recipient = yield* recipientOf(account);
  yield* saveSettings(account, change(recipient?.settings ?? defaultSettings), now);
}

export function* changeSettings(account: string, now: Instant, change: Change): Work<void> {
  yield* lockAccount(account);
  yield* changeHeldSettings(account, change, now);
}
