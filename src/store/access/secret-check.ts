import type { SecretCheck } from "../../core/access/stored-seals.ts";
import { one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { secretCheckTable } from "./tables.ts";

const ofService = "service";

const find = query<Record<string, never>>()((db) =>
  db.selectFrom("secret_check").select(secretCheckTable.own).limit(1),
);

const insert = query<RowOf<typeof secretCheckTable>>()((db, $) =>
  db
    .insertInto("secret_check")
    .values(placesOf(secretCheckTable.columns, $))
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const put = query<RowOf<typeof secretCheckTable>>()((db, $) =>
  db
    .insertInto("secret_check")
    .values(placesOf(secretCheckTable.columns, $))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        sealed: (eb) => eb.ref("excluded.sealed"),
        earlier: (eb) => eb.ref("excluded.earlier"),
        closed: (eb) => eb.ref("excluded.closed"),
        counted_at: (eb) => eb.ref("excluded.counted_at"),
      }),
    ),
);

const replace = query<{ was: string; sealed: string; earlier: number; closed: number; now: number }>()(
  (db, $) =>
    db
      .updateTable("secret_check")
      .set({ sealed: $.sealed, earlier: $.earlier, closed: $.closed, counted_at: $.now })
      .where("sealed", "=", $.was),
);

/** Notes that `renewed` fewer values need the earlier secret. */
export const lessenEarlier = query<{ renewed: number }>()((db, $) =>
  db.updateTable("secret_check").set((eb) => ({ earlier: eb("earlier", "-", $.renewed) })),
);

/** Null in a database that no service has used since this table exists. */
export function* selectSecretCheck(): Work<SecretCheck | null> {
  const row = yield* one(find, {});
  return row && secretCheckTable.toRecord(row);
}

/** Does nothing if there is one: of processes that start together, the first wins. */
export function* insertSecretCheck(check: SecretCheck): Work<void> {
  yield* run(insert, { ...secretCheckTable.toRow(check), id: ofService });
}

export function* putSecretCheck(check: SecretCheck): Work<void> {
  yield* run(put, { ...secretCheckTable.toRow(check), id: ofService });
}

/** Replaces the row if its sealed text is still `was`; false if another process resealed it. */
export function* replaceSecretCheck(was: string, check: SecretCheck): Work<boolean> {
  const { sealed, earlier, closed, countedAt: now } = check;
  return (yield* run(replace, { was, sealed, earlier, closed, now })) > 0;
}
