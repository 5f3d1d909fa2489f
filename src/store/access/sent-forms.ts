import type { SentFormStore } from "../../core/sent-form.ts";
import { run, type Database } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** Forms stand among the creations that can be repeated, by their account and under a route of their own. */
const route = "form";

const take = query<{ account: string; slot: string; now: number }>()((db, $) =>
  db
    .insertInto("write_replay")
    .values({
      account_id: $.account,
      route,
      slot: $.slot,
      body_digest: "",
      resource_id: "",
      resource_updated_at: $.now,
      created_at: $.now,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "route", "slot"]).doNothing()),
);

const release = query<{ account: string; slot: string }>()((db, $) =>
  db
    .deleteFrom("write_replay")
    .where("account_id", "=", $.account)
    .where("route", "=", route)
    .where("slot", "=", $.slot),
);

export const sentFormStore = (db: Database): SentFormStore => ({
  take: (account, slot, now) =>
    db.write("saved", function* () {
      return (yield* run(take, { account, slot, now })) > 0;
    }),
  release: (account, slot) =>
    db.write("saved", function* () {
      yield* run(release, { account, slot });
    }),
});
