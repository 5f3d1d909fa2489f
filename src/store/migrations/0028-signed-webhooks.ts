import type { Migration } from "./migration.ts";

/** The signed webhook of an account with its sealed secrets, and the channel for what another could not deliver. */
export const signedWebhooks: Migration = {
  id: 28,
  name: "signed-webhooks",
  statements: [
    "ALTER TABLE notification_setting ADD COLUMN webhook TEXT",
    "ALTER TABLE notification_setting ADD COLUMN webhook_secrets TEXT",
    "ALTER TABLE notification_setting ADD COLUMN notices_webhook SMALLINT NOT NULL DEFAULT 0",
    "ALTER TABLE notification_setting ADD COLUMN second_channel TEXT",
    "ALTER TABLE dispatch ADD COLUMN posted_alert TEXT",
    "ALTER TABLE dispatch ADD COLUMN is_second SMALLINT NOT NULL DEFAULT 0",
  ],
};
