import type { NotificationView } from "../../../core/notice/settings-view.ts";

/** The settings the examples speak of. */
export const exampleNotificationSettings: NotificationView = {
  email: { source: "account", address_hint: "a…@example.org", verified: true },
  pending: null,
  chat: { set: true, host: "hooks.slack.com" },
  webhook: { set: false, host: null, old_secret_until: null },
  notices_by_email: false,
  notices_by_chat: true,
  notices_by_webhook: false,
  second_channel: null,
  digest_by_email: false,
  digest_by_chat: false,
  sends_mail: true,
};
