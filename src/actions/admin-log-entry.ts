import type { Act } from "../core/service-log/entry.ts";
import type { Instant } from "../core/time.ts";
import type { SessionCaller } from "../contract/call/caller.ts";

/** The call as an act of the admin who makes it, for the service's log. */
export const adminAct = ({
  caller,
  now,
}: {
  readonly caller: SessionCaller;
  readonly now: Instant;
}): Act => ({ by: { who: "admin", accountId: caller.account.id }, now });
