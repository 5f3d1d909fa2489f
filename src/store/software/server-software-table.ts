import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { LastChange } from "../../core/software/last-changes.ts";
import { instant, jsonOf, table, text } from "../engine/table.ts";

export const serverSoftwareTable = table("server_software", {
  server_id: text,
  inventory: jsonOf<SoftwareInventory>(),
  received_at: instant,
  /** When an inventory last differed from the one before. */
  changed_at: instant,
  /** When the first inventory arrived, from which on changes are known. */
  first_received_at: instant,
  changes: jsonOf<readonly LastChange[]>(),
});
