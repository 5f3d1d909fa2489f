import type { Instant } from "../time.ts";
import type { Message } from "./message.ts";

/** The reason of a notice, which is no alert. */
export type NoticeKind = "token_action" | "report" | "regression" | "server_taken";

/** A notice to the owner of an account: in-app always, e-mail and chat where the owner switched notices on. */
export interface NewNotice {
  readonly id: string;
  readonly accountId: string;
  readonly kind: NoticeKind;
  readonly serverId: string | null;
  readonly message: Message;
  readonly now: Instant;
}

/** An in-app message, as a person finds it when they sign in. */
export interface InboxItem {
  readonly id: string;
  readonly kind: NoticeKind | "alert" | "resolved" | "test";
  readonly message: Message;
  readonly serverId: string | null;
  readonly alertId: string | null;
  readonly createdAt: Instant;
  readonly readAt: Instant | null;
}
