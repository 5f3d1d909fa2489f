import { flag, instant, integer, table, text, type RowOf } from "../engine/table.ts";

/** A public status page of an account. */
export const statusPageTable = table("status_page", {
  id: text,
  account_id: text,
  address: text,
  title: text,
  shows_players: flag,
  created_at: instant,
  updated_at: instant,
});

/** A server on a status page, with the name and the place that its owner chose. */
export const statusPageServerTable = table("status_page_server", {
  page_id: text,
  server_id: text,
  position: integer,
  name: text,
});

export interface StatusPageTables {
  status_page: RowOf<typeof statusPageTable>;
  status_page_server: RowOf<typeof statusPageServerTable>;
}
