import { mostObservedMs } from "../../core/health/memory-growth.ts";
import type { StoredHealth } from "../../core/health/stored-health.ts";
import { profileMs, startingMs } from "../../core/health/thresholds.ts";
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

/** What an evaluation reads of a server together with others; its samples are read apart, for they are many. */
export interface ReadTogether {
  readonly server: MonitoredServer;
  readonly stored: StoredHealth | null;
  readonly kept: WholeBaseline | null;
  readonly present: PresentFacts;
}

/** Starts of the server are looked for through the days that a slowdown is looked for, with those that reach into them. */
const startsMs = 2 * dayMs + startingMs;

export const presentSince = (now: Instant): PresentSince => ({
  entries: now - dayMs,
  starts: now - dayMs - startsMs,
  windows: now - mostObservedMs - longestMinutes * minuteMs,
  profiles: now - profileMs,
});

/** What is read of those of these servers that are linked, with four statements. */
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

/** The same; where something of one server cannot be read, each is read alone, and `report` is given what fails. */
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
