import type { Instant } from "../time.ts";
import type { Message } from "./message.ts";

export type NoticeKind = "token_action" | "report" | "regression" | "server_taken";

/** Always shown in-app, and sent over the channels for which the owner switched notices on. */
export interface NewNotice {
  readonly id: string;
  readonly accountId: string;
  readonly kind: NoticeKind;
  readonly serverId: string | null;
  readonly message: Message;
  readonly now: Instant;
}

export interface InboxItem {
  readonly id: string;
  readonly kind: NoticeKind | "alert" | "resolved" | "test";
  readonly message: Message;
  readonly serverId: string | null;
  readonly alertId: string | null;
  readonly createdAt: Instant;
  readonly readAt: Instant | null;
}
