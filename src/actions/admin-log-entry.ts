import type { Act } from "../core/service-log/entry.ts";
import type { Instant } from "../core/time.ts";
import type { SessionCaller } from "../contract/call/caller.ts";

export const adminAct = ({
  caller,
  now,
}: {
  readonly caller: SessionCaller;
  readonly now: Instant;
}): Act => ({ by: { who: "admin", accountId: caller.account.id }, now });
