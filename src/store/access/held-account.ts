import { type Work, one } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** Keeps the account until the transaction ends: its deletion waits, and then also covers the new row. */
const keepAccount = query<{ id: string }>()((db, $, dialect) => {
  const select = db.selectFrom("account").select("id").where("id", "=", $.id);
  return dialect === "postgres" ? select.forKeyShare() : select;
});

/** The id if the account exists, otherwise null: logs do not name deleted accounts. */
export function* heldAccount(id: string | null): Work<string | null> {
  return id === null ? null : ((yield* one(keepAccount, { id }))?.id ?? null);
}
