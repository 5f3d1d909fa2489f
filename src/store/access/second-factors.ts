import type { SecondFactor } from "../../core/access/second-factor.ts";
import type { Instant } from "../../core/time.ts";
import { one, run, type Work } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { countPasskeys } from "./passkeys.ts";
import { recoveryCodeTable, secondFactorTable } from "./tables.ts";

const find = query<{ account: string }>()((db, $) =>
  db.selectFrom("second_factor").select(secondFactorTable.columns).where("account_id", "=", $.account),
);

const insert = query<RowOf<typeof secondFactorTable>>()((db, $) =>
  db
    .insertInto("second_factor")
    .values(placesOf(secondFactorTable.columns, $))
    .onConflict((c) => c.doNothing()),
);

const advance = query<{ account: string; step: number }>()((db, $) =>
  db
    .updateTable("second_factor")
    .set({ last_step: $.step })
    .where("account_id", "=", $.account)
    .where("last_step", "<", $.step),
);

const remove = query<{ account: string }>()((db, $) =>
  db.deleteFrom("second_factor").where("account_id", "=", $.account),
);

const insertCode = query<RowOf<typeof recoveryCodeTable>>()((db, $) =>
  db.insertInto("recovery_code").values(placesOf(recoveryCodeTable.columns, $)),
);

const useCode = query<{ account: string; digest: string; now: number }>()((db, $) =>
  db
    .updateTable("recovery_code")
    .set({ used_at: $.now })
    .where("account_id", "=", $.account)
    .where("digest", "=", $.digest)
    .where("used_at", "is", null),
);

const removeCodes = query<{ account: string }>()((db, $) =>
  db.deleteFrom("recovery_code").where("account_id", "=", $.account),
);

const countCodes = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("recovery_code")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", $.account)
    .where("used_at", "is", null),
);

/** The account's authenticator app (TOTP); null if it has none. */
export function* selectSecondFactor(account: string): Work<SecondFactor | null> {
  const row = yield* one(find, { account });
  return row && secondFactorTable.toRecord(row);
}

export function* insertSecondFactor(factor: SecondFactor): Work<boolean> {
  return (yield* run(insert, secondFactorTable.toRow(factor))) > 0;
}

/** Returns false if this time step or a newer one was used before. */
export function* useStep(account: string, step: number): Work<boolean> {
  return (yield* run(advance, { account, step })) > 0;
}

export function* useRecoveryCode(account: string, digest: string, now: Instant): Work<boolean> {
  return (yield* run(useCode, { account, digest, now })) > 0;
}

export function* countRecoveryCodes(account: string): Work<number> {
  return (yield* one(countCodes, { account }))?.count ?? 0;
}

export function* replaceRecoveryCodes(account: string, digests: readonly string[]): Work<void> {
  yield* run(removeCodes, { account });
  for (const digest of digests) yield* run(insertCode, { account_id: account, digest, used_at: null });
}

/** Returns false if the account had none. Its recovery codes stay. */
export function* deleteSecondFactor(account: string): Work<boolean> {
  return (yield* run(remove, { account })) > 0;
}

export function* deleteRecoveryCodes(account: string): Work<void> {
  yield* run(removeCodes, { account });
}

/** Whether the account has an authenticator app or a passkey. */
export function* hasSecondFactor(account: string): Work<boolean> {
  return (yield* one(find, { account })) !== null || (yield* countPasskeys(account)) > 0;
}
