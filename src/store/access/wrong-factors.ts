import type { TriedIn, WrongFactors } from "../../core/access/wrong-factors.ts";
import { one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { wrongFactorTable } from "./tables.ts";

const find = query<{ account: string; browser: string }>()((db, $) =>
  db
    .selectFrom("wrong_factor")
    .select(["in_row", "last_at"])
    .where("account_id", "=", $.account)
    .where("browser", "=", $.browser),
);

const put = query<RowOf<typeof wrongFactorTable>>()((db, $) =>
  db
    .insertInto("wrong_factor")
    .values(placesOf(wrongFactorTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["account_id", "browser"]).doUpdateSet({ in_row: $.in_row, last_at: $.last_at }),
    ),
);

/** Deletes the count of wrong factors, unless it reached `below`, where the factor is closed. */
export const endWrongFactors = query<{ account: string; browser: TriedIn; below: number }>()((db, $) =>
  db
    .deleteFrom("wrong_factor")
    .where("account_id", "=", $.account)
    .where("browser", "=", $.browser)
    .where("in_row", "<", $.below),
);

const removeAll = query<{ account: string }>()((db, $) =>
  db.deleteFrom("wrong_factor").where("account_id", "=", $.account),
);

export function* selectWrongFactors(account: string, browser: TriedIn): Work<WrongFactors | null> {
  const row = yield* one(find, { account, browser });
  return row && { inRow: row.in_row, lastAt: row.last_at };
}

export function* putWrongFactors(account: string, browser: TriedIn, wrong: WrongFactors): Work<void> {
  yield* run(put, { account_id: account, browser, in_row: wrong.inRow, last_at: wrong.lastAt });
}

/** Reopens a factor that wrong codes closed, for all browsers; false if there were none. */
export function* deleteWrongFactors(account: string): Work<boolean> {
  return (yield* run(removeAll, { account })) > 0;
}
