import { tokenActionMessage, type TokenAction } from "../notice/notices.ts";
import type { NewNotice } from "../notice/notice.ts";
import type { EventRecord } from "./server-event.ts";

/** What an action leaves besides its change: a timeline entry, and a notice to the owner. */
export interface Trace {
  readonly event: EventRecord | null;
  readonly notice: NewNotice | null;
}

/** Called inside the transaction of the change, so `before` is what it replaced. */
export type TraceOf<T> = (before: T, after: T) => Trace | null;

export const tokenNotice = (
  { id, accountId, serverId }: Pick<NewNotice, "id" | "accountId" | "serverId">,
  action: TokenAction,
): NewNotice => ({
  id,
  accountId,
  kind: "token_action",
  serverId,
  message: tokenActionMessage(action, serverId === null ? null : `/servers/${serverId}`),
  now: action.at,
});
