import type { Collectable, CollectionStore } from "../../core/server/collection.ts";
import { run, type Database } from "../engine/database.ts";
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

export function collectionStore(db: Database): CollectionStore {
  const set = (id: string, what: Collectable, until: number | null): Promise<void> =>
    db.write("saved", function* () {
      yield* run(settings[what], { id, until });
    });
  return {
    ask: set,
    settle: (id, what) => set(id, what, null),
  };
}
