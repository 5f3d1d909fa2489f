import type { Passkey } from "../../core/access/passkey.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { passkeyTable } from "./tables.ts";

const ofAccount = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("passkey")
    .select(passkeyTable.columns)
    .where("account_id", "=", $.account)
    .orderBy("created_at")
    .orderBy("id"),
);

const find = query<{ credential: string }>()((db, $) =>
  db.selectFrom("passkey").select(passkeyTable.columns).where("credential_id", "=", $.credential),
);

const count = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("passkey")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", $.account),
);

const insert = query<RowOf<typeof passkeyTable>>()((db, $) =>
  db
    .insertInto("passkey")
    .values(placesOf(passkeyTable.columns, $))
    .onConflict((c) => c.doNothing()),
);

const use = query<{ id: string; counter: number; now: number }>()((db, $) =>
  db
    .updateTable("passkey")
    .set({ counter: $.counter, last_used_at: $.now })
    .where("id", "=", $.id)
    .where((eb) =>
      eb.or([eb("counter", "<", $.counter), eb.and([eb("counter", "=", 0), eb("counter", "=", $.counter)])]),
    ),
);

const remove = query<{ account: string; id: string }>()((db, $) =>
  db.deleteFrom("passkey").where("account_id", "=", $.account).where("id", "=", $.id),
);

const removeAll = query<{ account: string }>()((db, $) =>
  db.deleteFrom("passkey").where("account_id", "=", $.account),
);

export function* selectPasskeys(account: string): Work<Passkey[]> {
  return (yield* all(ofAccount, { account })).map((row) => passkeyTable.toRecord(row));
}

/** Finds a passkey by its WebAuthn credential id, among all accounts. */
export function* selectPasskeyNamed(credential: string): Work<Passkey | null> {
  const row = yield* one(find, { credential });
  return row && passkeyTable.toRecord(row);
}

export function* countPasskeys(account: string): Work<number> {
  return (yield* one(count, { account }))?.count ?? 0;
}

/** False if any account already has this credential. */
export function* insertPasskey(passkey: Passkey): Work<boolean> {
  return (yield* run(insert, passkeyTable.toRow(passkey))) > 0;
}

/** False if the passkey is gone, or its counter did not increase (both 0 is allowed). */
export function* usePasskey(id: string, counter: number, now: Instant): Work<boolean> {
  return (yield* run(use, { id, counter, now })) > 0;
}

export function* deletePasskeyRow(account: string, id: string): Work<boolean> {
  return (yield* run(remove, { account, id })) > 0;
}

export function* deletePasskeys(account: string): Work<boolean> {
  return (yield* run(removeAll, { account })) > 0;
}
