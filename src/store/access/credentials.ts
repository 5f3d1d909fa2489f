import { query } from "../engine/query.ts";

export const revokeCredentials = query<{ server: string; now: number }>()((db, $) =>
  db
    .updateTable("server_credential")
    .set({ revoked_at: $.now })
    .where("server_id", "=", $.server)
    .where("revoked_at", "is", null),
);

/** Deletes the used link codes of a server, so that their claim secrets become useless. */
export const dropUsedCodes = query<{ server: string }>()((db, $) =>
  db.deleteFrom("link_code").where("server_id", "=", $.server),
);
