import { one, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";

/** Held until the row is written: an account that is deleted meanwhile waits, and then is taken out of it too. */
const keepAccount = query<{ id: string }>()((db, $, dialect) => {
  const select = db.selectFrom("account").select("id").where("id", "=", $.id);
  return dialect === "postgres" ? select.forKeyShare() : select;
});

/** The id of an account that is there, else null: a log names nobody who is gone. */
export function* heldAccount(id: string | null): Generator<Step, string | null, Result> {
  return id === null ? null : ((yield* one(keepAccount, { id }))?.id ?? null);
}
