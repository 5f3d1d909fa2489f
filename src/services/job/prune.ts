import type { Plans } from "../../core/access/plan.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { pruneByAge, pruneEvents } from "../../store/job/prune.ts";
import { pruneProfiles } from "./prune-profiles.ts";
import { deleteDueServers } from "../server/delete-server.ts";

/** Deletes expired data; yields the number of rows after each short transaction. May be stopped after any. */
export async function* pruneAll(db: Database, now: Instant, plans: Plans): AsyncIterable<number> {
  yield* pruneByAge(db, now);
  yield* deleteDueServers(db, now);
  yield* pruneEvents(db, now, plans);
  yield* pruneProfiles(db, now, plans);
}
