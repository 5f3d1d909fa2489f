import type { PostedAlert } from "../../core/alert/posted-alert.ts";
import type { Message } from "../../core/notice/message.ts";
import type { InboxItem } from "../../core/notice/notice.ts";
import type { OutsideChannel } from "../../core/notice/channel.ts";
import type { DispatchPurpose } from "../../core/notice/sending.ts";
import { flag, instant, integer, jsonOf, table, text, textOf, type RowOf } from "../engine/table.ts";

/** Messages still to be sent by e-mail, chat or webhook. */
export const dispatchTable = table("dispatch", {
  id: text,
  account_id: text.aside,
  channel: textOf<OutsideChannel>(),
  purpose: textOf<DispatchPurpose>(),
  alert_id: text.nullable,
  rule_id: text.nullable.aside,
  message: jsonOf<Message>(),
  attempts: integer.aside,
  due_at: instant.aside,
  leased_until: instant.nullable.aside,
  created_at: instant.as("queuedAt"),
  unanswered: integer.aside,
  posted_alert: jsonOf<PostedAlert>().nullable,
  /** True: sent over the second channel, because the first one could not deliver it. */
  is_second: flag,
});

export const notificationSettingTable = table("notification_setting", {
  account_id: text.aside,
  /** Null: the account's own address. */
  email: text.nullable.as("sealedEmail"),
  email_verified_at: instant.nullable,
  chat: text.nullable.as("sealedChat"),
  notices_email: flag.as("noticesByEmail"),
  notices_chat: flag.as("noticesByChat"),
  updated_at: instant.aside,
  digest_email: flag.as("digestByEmail"),
  digest_chat: flag.as("digestByChat"),
  /** End of the newest week whose digest was sent or skipped; null if none was. */
  digest_week: instant.nullable.aside,
  webhook: text.nullable.as("sealedWebhook"),
  webhook_secrets: text.nullable.as("sealedWebhookSecrets"),
  notices_webhook: flag.as("noticesByWebhook"),
  /** The channel for messages that another one could not deliver. */
  second_channel: textOf<OutsideChannel>().nullable,
});

export const pendingAddressTable = table("pending_address", {
  account_id: text.aside,
  address: text.as("sealed"),
  code_digest: text,
  tries: integer.aside,
  created_at: instant,
  expires_at: instant,
});

export const inboxTable = table("inbox", {
  id: text,
  account_id: text.aside,
  kind: textOf<InboxItem["kind"]>(),
  message: jsonOf<Message>(),
  server_id: text.nullable,
  alert_id: text.nullable,
  created_at: instant,
  read_at: instant.nullable,
});

export const testMessageTable = table("test_message", { id: text, account_id: text, sent_at: instant });

export interface NoticeTables {
  dispatch: RowOf<typeof dispatchTable>;
  notification_setting: RowOf<typeof notificationSettingTable>;
  pending_address: RowOf<typeof pendingAddressTable>;
  inbox: RowOf<typeof inboxTable>;
  test_message: RowOf<typeof testMessageTable>;
}
