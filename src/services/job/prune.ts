import type { Plans } from "../../core/access/plan.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { pruneByAge, pruneEvents } from "../../store/job/prune.ts";
import { pruneProfiles } from "./prune-profiles.ts";
import { deleteDueServers } from "../server/delete-server.ts";

/**
 * Deletes what nobody can ask for any more, a short transaction a step, and yields how many rows each one deleted.
 * The caller may stop after any step.
 */
export async function* pruneAll(db: Database, now: Instant, plans: Plans): AsyncIterable<number> {
  yield* pruneByAge(db, now);
  yield* deleteDueServers(db, now);
  yield* pruneEvents(db, now, plans);
  yield* pruneProfiles(db, now, plans);
}
