import { testWindowMs, testsPerWindow } from "../../core/notice/records.ts";
import { type Work, all, run } from "../../store/engine/database.ts";
import { testMessagesWithin, insertTestMessage } from "../../store/notice/notices.ts";
import { lockAccount } from "../../store/server/locks.ts";

/** Null, or the seconds to wait if the window is full. */
export function* countTestMessage(account: string, id: string, now: number): Work<number | null> {
  yield* lockAccount(account);
  const sent = yield* all(testMessagesWithin, { account, since: now - testWindowMs, now });
  const oldest = sent.at(-testsPerWindow);
  if (oldest) return Math.max(1, Math.ceil((oldest.sent_at + testWindowMs - now) / 1000));
  yield* run(insertTestMessage, { id, account, now });
  return null;
}
