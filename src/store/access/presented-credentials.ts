import { query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import type { serverCredentialTable } from "../server/tables.ts";
import { monitored, type MonitoredRow } from "../server/server-rows.ts";

export type CredentialRow = MonitoredRow &
  Pick<RowOf<typeof serverCredentialTable>, "revoked_at" | "first_used_at">;

export const findByCredential = query<{ digest: string }>()((db, $) =>
  monitored(db)
    .innerJoin("server_credential as c", "c.server_id", "s.id")
    .select(["c.revoked_at", "c.first_used_at"])
    .where("c.digest", "=", $.digest),
);

/** Finds credentials of unlinked servers, and the digests kept of deleted servers' credentials. */
export const findFormerCredential = query<{ digest: string }>()((db, $) =>
  db
    .selectFrom("server_credential")
    .select("digest")
    .where("digest", "=", $.digest)
    .union(db.selectFrom("retired_credential").select("digest").where("digest", "=", $.digest)),
);

/** The caller must hold the server's lock. */
export const markCredentialUsed = query<{ digest: string; now: number }>()((db, $) =>
  db
    .updateTable("server_credential")
    .set((eb) => ({ first_used_at: eb.fn.coalesce("first_used_at", eb.val($.now)) }))
    .where("digest", "=", $.digest),
);

export const verifyServer = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("server")
    .set({ verified_at: $.now })
    .where("id", "=", $.id)
    .where("verified_at", "is", null),
);
