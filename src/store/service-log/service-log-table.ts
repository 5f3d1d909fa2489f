import { instant, integer, table, text } from "../engine/table.ts";

/** Names of accounts are joined when read, so a deleted account has none. */
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
  /** The account concerned; null for none, and once it is deleted. */
  account_id: text.nullable.aside,
});
