import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { LastChange } from "../../core/software/last-changes.ts";
import { instant, jsonOf, table, text } from "../engine/table.ts";

/** The newest inventory of each server. */
export const serverSoftwareTable = table("server_software", {
  server_id: text,
  inventory: jsonOf<SoftwareInventory>(),
  received_at: instant,
  /** When an inventory last differed from the one before. */
  changed_at: instant,
  /** Since when changes are seen. */
  first_received_at: instant,
  /** When each part of the inventory last changed. */
  changes: jsonOf<readonly LastChange[]>(),
});
