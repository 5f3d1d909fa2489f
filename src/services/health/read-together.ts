import { mostObservedMs } from "../../core/health/memory-growth.ts";
import type { StoredHealth } from "../../core/health/stored-health.ts";
import { earlierEventsMs, profileMs, startingMs } from "../../core/health/thresholds.ts";
import { longestMinutes } from "../../core/maintenance/maintenance.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import { baselinesOfServers, type WholeBaseline } from "../../store/health/baselines.ts";
import {
  selectPresentFacts,
  type PresentFacts,
  type PresentSince,
} from "../../store/health/present-facts.ts";
import { storedHealthOfServers } from "../../store/health/server-health.ts";
import { monitoredServers } from "../../store/server/server-rows.ts";

/** Facts read for several servers at once. Samples are many, so they are read separately. */
export interface ReadTogether {
  readonly server: MonitoredServer;
  readonly stored: StoredHealth | null;
  readonly kept: WholeBaseline | null;
  readonly present: PresentFacts;
}

/** How far back starts are looked for: the replayed days, and starts that reach into them. */
const startsMs = 2 * dayMs + startingMs;

export const presentSince = (now: Instant): PresentSince => ({
  entries: now - dayMs - earlierEventsMs,
  starts: now - dayMs - startsMs,
  windows: now - mostObservedMs - longestMinutes * minuteMs,
  profiles: now - profileMs,
});

/** Four statements for all; unlinked servers are absent. */
function* readOfServers(ids: readonly string[], now: Instant): Work<ReadTogether[]> {
  const present = yield* selectPresentFacts(ids, presentSince(now));
  const stored = yield* storedHealthOfServers(ids);
  const baselines = yield* baselinesOfServers(ids);
  return (yield* monitoredServers(ids)).flatMap((server) => {
    const of = present.get(server.id);
    const both = { stored: stored.get(server.id) ?? null, kept: baselines.get(server.id) ?? null };
    return of ? [{ server, ...both, present: of }] : [];
  });
}

/** If the common read fails, each server is read alone, and failures go to `report`. */
export async function readTogether(
  db: Database,
  ids: readonly string[],
  now: Instant,
  report: (error: unknown) => void,
): Promise<ReadTogether[]> {
  try {
    return await db.read(readOfServers, ids, now);
  } catch (error) {
    if (ids.length > 1)
      return (await Promise.all(ids.map((id) => readTogether(db, [id], now, report)))).flat();
    report(error);
    return [];
  }
}
