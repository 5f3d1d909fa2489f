import type { Collectable } from "../../core/server/collection.ts";
import type { Instant } from "../../core/time.ts";
import { run, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";

type Setting = { id: string; until: number | null };

const settingOf = (column: "collect_profile_until" | "collect_histogram_until") =>
  query<Setting>()((db, $) =>
    db
      .updateTable("server")
      .set({ [column]: $.until })
      .where("id", "=", $.id),
  );

const settings: Readonly<Record<Collectable, ReturnType<typeof settingOf>>> = {
  profile: settingOf("collect_profile_until"),
  class_histogram: settingOf("collect_histogram_until"),
};

/** Requests a capture from the server's agent or plugin until `until`; null ends the request. */
export function* updateCollection(id: string, what: Collectable, until: Instant | null): Work<void> {
  yield* run(settings[what], { id, until });
}
