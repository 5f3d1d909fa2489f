import { recordBegunWindows } from "../services/maintenance/record-begun-windows.ts";
import { serversWithDueMaintenance } from "../store/maintenance/recurring.ts";
import type { JobDeps } from "./deps.ts";

/** Servers looked up at once. */
const pageSize = 200;

/**
 * Writes the windows of recurring maintenance that began. Readers see a window without this; its entry in the timeline,
 * which outlasts a change of the schedule, comes from here.
 */
export async function beginRecurringMaintenance({ db, clock, warn, signal }: JobDeps): Promise<void> {
  let after = "";
  for (;;) {
    const page: string[] = await db.read(serversWithDueMaintenance, clock(), after, pageSize);
    for (const server of page) {
      if (signal.aborted) return;
      await db
        .write(recordBegunWindows, server, clock())
        .catch((error: unknown) => warn("maintenance", error));
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
