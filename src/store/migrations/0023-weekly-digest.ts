import type { Migration } from "./migration.ts";

/** The channels of the weekly digest, and the newest week whose digest was sent. */
export const weeklyDigest: Migration = {
  id: 23,
  name: "weekly-digest",
  statements: [
    "ALTER TABLE notification_setting ADD COLUMN digest_email SMALLINT NOT NULL DEFAULT 0",
    "ALTER TABLE notification_setting ADD COLUMN digest_chat SMALLINT NOT NULL DEFAULT 0",
    "ALTER TABLE notification_setting ADD COLUMN digest_week BIGINT",
  ],
};
