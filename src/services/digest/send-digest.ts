import { digestMessage } from "../../core/digest/digest-message.ts";
import type { DigestFacts } from "../../core/digest/facts.ts";
import type { Instant } from "../../core/time.ts";
import { claimDigestWeek } from "../../store/digest/digest-weeks.ts";
import type { Work } from "../../store/engine/database.ts";
import { recipientOf } from "../../store/notice/recipients.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { queueDispatch } from "../notice/queue-dispatch.ts";

/** Queues the week's digest once, however many processes try. Null `facts`: only marks the week as done. */
export function* sendDigest(
  accountId: string,
  week: Instant,
  facts: DigestFacts | null,
  now: Instant,
): Work<void> {
  yield* lockAccount(accountId);
  if (!(yield* claimDigestWeek(accountId, week)) || facts === null) return;
  const settings = (yield* recipientOf(accountId))?.settings;
  const outgoing = { accountId, purpose: "digest", alert: null, now } as const;
  for (const [channel, isOn] of [
    ["email", settings?.digestByEmail],
    ["chat", settings?.digestByChat],
  ] as const)
    if (isOn === true) yield* queueDispatch({ ...outgoing, channel, message: digestMessage(facts, channel) });
}
