import { endedWeek } from "../../core/digest/week.ts";
import { defaultSettings } from "../../core/notice/records.ts";
import type { Instant } from "../../core/time.ts";
import { skipDigestWeek } from "../../store/digest/digest-weeks.ts";
import type { Work } from "../../store/engine/database.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { changeHeldSettings } from "../notice/change-settings.ts";

export interface DigestChannels {
  readonly byEmail: boolean;
  readonly byChat: boolean;
}

/** If switched on, the digest starts with the current week: the last one is not sent late. */
export function* changeDigestChannels(
  account: string,
  { byEmail, byChat }: DigestChannels,
  now: Instant,
): Work<void> {
  yield* lockAccount(account);
  const { digestByEmail, digestByChat } = (yield* recipientOf(account))?.settings ?? defaultSettings;
  const change = { digestByEmail: byEmail, digestByChat: byChat };
  yield* changeHeldSettings(account, (settings) => ({ ...settings, ...change }), now);
  if (!digestByEmail && !digestByChat) yield* skipDigestWeek(account, endedWeek(now));
}
