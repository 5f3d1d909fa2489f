import { instant, integer, table, text } from "../engine/table.ts";

export const securityLogTable = table("security_log", {
  id: text,
  at: instant,
  last_at: instant,
  times: integer,
  kind: text,
  account_id: text.nullable.aside,
  address: text.nullable,
  token_id: text.nullable.aside,
  detail: text.nullable,
});
