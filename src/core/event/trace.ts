import { tokenActionMessage, type TokenAction } from "../notice/notices.ts";
import type { NewNotice } from "../notice/notice.ts";
import type { EventRecord } from "./server-event.ts";

/** What an act leaves behind beside its change: an entry in a server's timeline, and word to the owner. */
export interface Trace {
  readonly event: EventRecord | null;
  readonly notice: NewNotice | null;
}

/** What a change leaves behind; asked inside the change's own transaction, so that `before` is what it replaced. */
export type TraceOf<T> = (before: T, after: T) => Trace | null;

/** Word to an owner of what a token of theirs did. */
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
