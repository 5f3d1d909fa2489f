import type { Instant } from "../../core/time.ts";
import type { CodePurpose, OneTimeCode } from "../../core/access/one-time-code.ts";
import { type Work, all, one } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { oneTimeCodeTable } from "./tables.ts";

export const insertOneTimeCode = query<RowOf<typeof oneTimeCodeTable>>()((db, $) =>
  db.insertInto("one_time_code").values(placesOf(oneTimeCodeTable.columns, $)),
);

export const endCodes = query<{ account: string; purpose: CodePurpose }>()((db, $) =>
  db.deleteFrom("one_time_code").where("account_id", "=", $.account).where("purpose", "=", $.purpose),
);

const find = query<{ digest: string; purpose: string; now: number }>()((db, $) =>
  db
    .selectFrom("one_time_code")
    .select(oneTimeCodeTable.own)
    .where("digest", "=", $.digest)
    .where("purpose", "=", $.purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", $.now),
);

const use = query<{ digest: string; purpose: string; now: number }>()((db, $) =>
  db
    .updateTable("one_time_code")
    .set({ used_at: $.now })
    .where("digest", "=", $.digest)
    .where("purpose", "=", $.purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", $.now)
    .returning(oneTimeCodeTable.own),
);

const invitations = query<{ now: number }>()((db, $) =>
  db
    .selectFrom("one_time_code")
    .select(oneTimeCodeTable.own)
    .where("purpose", "=", "invitation")
    .where("used_at", "is", null)
    .where("expires_at", ">", $.now)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc"),
);

export const deleteInvitation = query<{ id: string; now: number }>()((db, $) =>
  db
    .deleteFrom("one_time_code")
    .where("id", "=", $.id)
    .where("purpose", "=", "invitation")
    .where("used_at", "is", null)
    .where("expires_at", ">", $.now),
);

/** Of concurrent uses of a code one gets it, the others null. */
export function* useCode(digest: string, purpose: CodePurpose, now: number): Work<OneTimeCode | null> {
  const row = yield* one(use, { digest, purpose, now });
  return row && oneTimeCodeTable.toRecord(row);
}

/** Null if the code is unknown, used or expired. */
export function* selectOneTimeCode(
  digest: string,
  purpose: CodePurpose,
  now: Instant,
): Work<OneTimeCode | null> {
  const row = yield* one(find, { digest, purpose, now });
  return row && oneTimeCodeTable.toRecord(row);
}

/** Usable invitations, newest first. */
export function* selectInvitations(now: Instant): Work<OneTimeCode[]> {
  return (yield* all(invitations, { now })).map(oneTimeCodeTable.toRecord);
}
