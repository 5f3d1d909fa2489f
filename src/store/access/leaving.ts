import { forUpdate, query } from "../engine/query.ts";

export const serversLinkedBy = query<{ account: string }>()((db, $) =>
  db.selectFrom("server").select(["id", "account_id"]).where("linked_by", "=", $.account).orderBy("id"),
);

export const lockAdmins = query<Record<string, never>>()((db, _, dialect) =>
  forUpdate(dialect, db.selectFrom("account").select("id").where("role", "=", "admin").orderBy("id")),
);

export const endAdminRole = query<{ id: string }>()((db, $) =>
  db.updateTable("account").set({ role: "user" }).where("id", "=", $.id),
);

export const stopKeepingServer = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("server").set({ kept_until: $.now }).where("id", "=", $.id),
);

export const endSessionsOf = query<{ account: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.account),
);

export const revokeTokensOf = query<{ account: string; now: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ revoked_at: $.now })
    .where("account_id", "=", $.account)
    .where("revoked_at", "is", null),
);

export const lockAccountRow = query<{ id: string }>()((db, $, dialect) => {
  const select = db.selectFrom("account").select("id").where("id", "=", $.id);
  return dialect === "postgres" ? select.forUpdate() : select;
});
