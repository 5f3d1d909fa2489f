import type { Migration } from "./migration.ts";

/** What finds the alerts that were open in a window, and when a session left a question unanswered. */
export const windowsAndQuestions: Migration = {
  id: 16,
  name: "windows-and-questions",
  statements: [
    "CREATE INDEX alert_over ON alert (account_id, resolved_at, opened_at)",
    "ALTER TABLE dialogue_session ADD COLUMN unanswered_at BIGINT",
  ],
};
