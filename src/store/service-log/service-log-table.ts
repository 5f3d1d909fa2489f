import { instant, integer, table, text } from "../engine/table.ts";

/** What happened to the service itself. Accounts are read from their own table: one that is gone has no name. */
export const serviceLogTable = table("service_log", {
  id: text,
  at: instant,
  last_at: instant,
  times: integer,
  kind: text,
  words: text,
  done_by: text.aside,
  /** The admin who did it; null for others, and once that account is deleted. */
  actor_id: text.nullable.aside,
  /** The account it is about; null once that account is deleted. */
  account_id: text.nullable.aside,
});
