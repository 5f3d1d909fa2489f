import { forUpdate, query } from "../engine/query.ts";

export const lockCertificate = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("report").select("certificate_expires_at").where("id", "=", $.id)),
);

export const deleteReportRow = query<{ id: string }>()((db, $) =>
  db.deleteFrom("report").where("id", "=", $.id),
);

export const deleteTestRow = query<{ id: string }>()((db, $) =>
  db.deleteFrom("unit_test").where("id", "=", $.id),
);
