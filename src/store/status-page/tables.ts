import { flag, instant, integer, table, text, type RowOf } from "../engine/table.ts";

export const statusPageTable = table("status_page", {
  id: text,
  account_id: text,
  address: text,
  title: text,
  shows_players: flag,
  created_at: instant,
  updated_at: instant,
});

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
