import type { Instant } from "../../core/time.ts";
import { type Work, run } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** Sent forms share the table of repeatable creations, under a route name of their own. */
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

/** False if the account sent that form before; of concurrent requests one gets true. */
export function* takeFormSlot(account: string, slot: string, now: Instant): Work<boolean> {
  return (yield* run(take, { account, slot, now })) > 0;
}

/** Releases the slot of a form whose request changed nothing, so that it can be sent again. */
export function* releaseFormSlot(account: string, slot: string): Work<void> {
  yield* run(release, { account, slot });
}
