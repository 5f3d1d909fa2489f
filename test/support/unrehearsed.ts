import type { Database } from "../../src/store/engine/database.ts";
import { rehearseUnits } from "../../src/store/engine/rehearsal.ts";
import { storesOn } from "../../src/services/stores.ts";

/** Stores whose units of work run once: for tests that count statements or calls, or look at plans. */
export function unrehearsedStores(db: Database): ReturnType<typeof storesOn> {
  rehearseUnits(false);
  try {
    return storesOn(db);
  } finally {
    rehearseUnits(true);
  }
}
