import type { PruneStore } from "../../core/job/prune.ts";
import { removeDueServers } from "../server/delete-server.ts";
import type { Database } from "../../store/engine/database.ts";
import { pruneByAge, pruneEvents } from "../../store/job/prune.ts";
import { pruneProfiles } from "../../store/profile/profile-prune.ts";

export const pruneStore = (db: Database): PruneStore => ({
  prune: async function* (now, plans) {
    yield* pruneByAge(db, now);
    yield* removeDueServers(db, now);
    yield* pruneEvents(db, now, plans);
    yield* pruneProfiles(db, now, plans);
  },
});
