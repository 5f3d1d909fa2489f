import { Actor } from "../../core/alert/alert.ts";
import { instant, oneOf, table, text } from "../engine/table.ts";

export const maintenanceTable = table("maintenance", {
  server_id: text,
  started_at: instant,
  ends_at: instant,
  told_until: instant,
  reason: text.nullable,
  started_by: oneOf(Actor),
});
