import { recordBegunWindows } from "../services/maintenance/record-begun-windows.ts";
import { serversWithDueMaintenance } from "../store/maintenance/recurring.ts";
import type { JobDeps } from "./deps.ts";

const pageSize = 200;

/** Writes a timeline entry for each window that began; entries outlast a change of the schedule. */
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
