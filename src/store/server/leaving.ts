import { query } from "../engine/query.ts";

export const unlinkUntil = query<{ id: string; until: number }>()((db, $) =>
  db.updateTable("server").set({ account_id: null, kept_until: $.until }).where("id", "=", $.id),
);

/** Gives a server an installation id that no plugin has. */
export const renameInstallation = query<{ id: string; nobodys: string }>()((db, $) =>
  db.updateTable("server").set({ installation_id: $.nobodys }).where("id", "=", $.id),
);
