import { run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";

const certify = query<{ id: string; at: number; until: number }>()((db, $) =>
  db
    .updateTable("report")
    .set({ certified_at: $.at, certificate_expires_at: $.until })
    .where("id", "=", $.id),
);

/** Certifies a report, which is the operator's doing and no store's. */
export const certifyReport = (db: Database, id: string, at: number, until: number): Promise<number> =>
  db.write(() => run(certify, { id, at, until }));
