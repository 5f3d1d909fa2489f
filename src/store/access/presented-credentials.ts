import type { PresentedServer } from "../../core/server/records.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import type { serverCredentialTable } from "../server/tables.ts";
import { monitored, toMonitored, type MonitoredRow } from "../server/server-rows.ts";

type PresentedRow = MonitoredRow & Pick<RowOf<typeof serverCredentialTable>, "revoked_at" | "first_used_at">;

const present = query<{ digest: string }>()((db, $) =>
  monitored(db)
    .innerJoin("server_credential as c", "c.server_id", "s.id")
    .select(["c.revoked_at", "c.first_used_at"])
    .where("c.digest", "=", $.digest),
);

/** Credentials of servers that are linked no more, and what is left of those of deleted ones. */
const formerCredential = query<{ digest: string }>()((db, $) =>
  db
    .selectFrom("server_credential")
    .select("digest")
    .where("digest", "=", $.digest)
    .union(db.selectFrom("retired_credential").select("digest").where("digest", "=", $.digest)),
);

/** Changes no row when the credential was revoked meanwhile. */
const noteUse = query<{ digest: string; now: number }>()((db, $) =>
  db
    .updateTable("server_credential")
    .set((eb) => ({ first_used_at: eb.fn.coalesce("first_used_at", eb.val($.now)) }))
    .where("digest", "=", $.digest)
    .where("revoked_at", "is", null),
);

const verify = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("server")
    .set({ verified_at: $.now })
    .where("id", "=", $.id)
    .where("verified_at", "is", null),
);

/** The first use counts only while the credential stands: a repeated claim may be replacing it right now. */
function* presentFirst(
  digest: string,
  id: string,
  now: number,
): Generator<Step, PresentedRow | null, Result> {
  if ((yield* run(noteUse, { digest, now })) === 1) yield* run(verify, { id, now });
  return yield* one(present, { digest });
}

/** What is said of a credential that no linked server has. */
async function formerly(db: Database, digest: string): Promise<PresentedServer | null> {
  const known = await db.read(() => one(formerCredential, { digest }));
  return known && { kind: "revoked", serverId: null };
}

/** What a credential presents, with its first use noted; null when nobody ever had it. */
export async function presentedCredentials(
  db: Database,
  digest: string,
  now: number,
): Promise<PresentedServer | null> {
  const found = await db.read(() => one(present, { digest }));
  if (!found) return await formerly(db, digest);
  const first = found.revoked_at === null && (found.first_used_at === null || found.verified_at === null);
  const row = first ? await db.write(() => presentFirst(digest, found.id, now)) : found;
  if (!row) return await formerly(db, digest);
  return row.revoked_at === null
    ? { kind: "linked", server: toMonitored(row) }
    : { kind: "revoked", serverId: row.id };
}
