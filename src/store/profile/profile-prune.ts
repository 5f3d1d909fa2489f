import { sql } from "kysely";
import { documentsAtATime } from "./document-limits.ts";
import { query } from "../engine/query.ts";

/** Summaries deleted in one transaction; each also has up to ten owner rows. */
export const summariesAtATime = 100;

export const holdersAtATime = 200;

export const documentHoldersAfter = query<{ after: string; limit: number }>()((db, $) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.linked_by")
    .select(["s.id", "a.plan", "a.kept_plan", "a.kept_plan_until"])
    .select((of) => [
      of
        .selectFrom("profile_document as d")
        .select((of) => of.fn.countAll<number>().as("rows"))
        .whereRef("d.server_id", "=", "s.id")
        .as("profiles"),
      of
        .selectFrom("profile_document as d")
        .select((of) => of.fn.min("d.uploaded_at").as("at"))
        .whereRef("d.server_id", "=", "s.id")
        .as("oldest_profile"),
      of
        .selectFrom("memory_report as r")
        .select((of) => of.fn.countAll<number>().as("rows"))
        .whereRef("r.server_id", "=", "s.id")
        .as("memory_reports"),
    ])
    .where("s.id", ">", $.after)
    .orderBy("s.id")
    .limit($.limit),
);

export const deleteOldProfiles = query<{ server: string; before: number }>()((db, $) =>
  db
    .deleteFrom("profile_document")
    .where("id", "in", (of) =>
      of
        .selectFrom("profile_document")
        .select("id")
        .where("server_id", "=", $.server)
        .where("uploaded_at", "<", $.before)
        .orderBy("uploaded_at")
        .limit(sql.lit(documentsAtATime)),
    ),
);

export const deleteOldSummaries = query<{ before: number }>()((db, $) =>
  db
    .deleteFrom("profile_summary")
    .where("id", "in", (of) =>
      of
        .selectFrom("profile_summary")
        .select("id")
        .where("uploaded_at", "<", $.before)
        .orderBy("uploaded_at")
        .limit(sql.lit(summariesAtATime)),
    ),
);

export interface DocumentHolder {
  readonly id: string;
  readonly plan: string;
  readonly kept_plan: string | null;
  readonly kept_plan_until: number | null;
  readonly profiles: number | null;
  readonly oldest_profile: number | null;
  readonly memory_reports: number | null;
}
