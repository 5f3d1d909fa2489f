import type { KnownReports } from "../../core/software/reported-software.ts";
import { one, run, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";

const find = query<{ server: string }>()((db, $) =>
  db.selectFrom("server").select("reported_software").where("id", "=", $.server),
);

const update = query<{ server: string; reported: string; version: string | null }>()((db, $) =>
  db
    .updateTable("server")
    .set({ reported_software: $.reported, plugin_version: $.version })
    .where("id", "=", $.server),
);

export function* selectReportedSoftware(server: string): Work<KnownReports | null> {
  return reportsIn((yield* one(find, { server }))?.reported_software ?? null);
}

/** Not validated: only this program writes the column. */
export const reportsIn = (stored: string | null): KnownReports | null =>
  stored === null ? null : (JSON.parse(stored) as KnownReports);

export function* saveReportedSoftware(server: string, known: KnownReports): Work<void> {
  const version = known.software.plugin_version;
  yield* run(update, { server, reported: JSON.stringify(known), version });
}
