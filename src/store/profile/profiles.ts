import type { TimePosition } from "../../core/position.ts";
import type { DetailBody } from "../../core/profile/profile-detail.ts";
import type { FlameGraph } from "../../core/profile/flame-graph.ts";
import { sql } from "kysely";
import type { Instant } from "../../core/time.ts";
import type { ProfileFilter, ProfileRecord } from "../../core/profile/records.ts";
import { readStoredSummary } from "../../core/profile/stored-profile.ts";
import { type Work, all, one, type Database } from "../engine/database.ts";
import {
  newestIds,
  ofBoth,
  stretch,
  whoseOf,
  type NewestValues,
  type ListedServers,
} from "../metric/newest-of-servers.ts";
import { unpackedFrom } from "../engine/packed.ts";
import { query, type Builder } from "../engine/query.ts";
import { profileSummaryTable } from "./tables.ts";
import { profileReading } from "./readings.ts";

const profiles = (db: Builder) =>
  db
    .selectFrom("profile_summary as p")
    .innerJoin("server as s", "s.id", "p.server_id")
    .leftJoin("profile_document as d", "d.summary_id", "p.id")
    .select(profileSummaryTable.of("p"))
    .select(["s.name as server_name", "d.id as document_id", "d.longest_tick_ms", "d.service_version"]);

type ListValues = NewestValues & { trigger: string | null; owner: string };

const triggeredBy = (trigger: string | null) =>
  sql<boolean>`(cast(${trigger} as text) is null or q.triggered_by = ${trigger})`;

const summariesOfServer = (db: Builder, $: ListValues, limit: number) =>
  db
    .selectFrom("profile_summary as q")
    .select("q.id")
    .where(sql<boolean>`q.server_id = s.id`)
    .where(triggeredBy($.trigger))
    .where("q.timeline_at", ">=", $.from)
    .where(sql<boolean>`(q.timeline_at, q.id) < (${$.at}, ${$.id})`)
    .orderBy("q.timeline_at", "desc")
    .orderBy("q.id", "desc")
    .limit(limit);

const summariesOfOwner = (db: Builder, $: ListValues, limit: number) =>
  db
    .selectFrom("profile_owner as q")
    .select("q.summary_id")
    .where(sql<boolean>`q.server_id = s.id`)
    .where("q.owner", "=", $.owner)
    .where(triggeredBy($.trigger))
    .where("q.timeline_at", ">=", $.from)
    .where(sql<boolean>`(q.timeline_at, q.summary_id) < (${$.at}, ${$.id})`)
    .orderBy("q.timeline_at", "desc")
    .orderBy("q.summary_id", "desc")
    .limit(limit);

const listed = (ofServer: typeof summariesOfServer | typeof summariesOfOwner) => (whose: ListedServers) =>
  query<ListValues>()((db, $, dialect) =>
    profiles(db)
      .where(
        "p.id",
        "in",
        newestIds("profile_summary", (limit) => ofServer(db, $, limit), $, dialect, whose),
      )
      .orderBy("p.timeline_at", "desc")
      .orderBy("p.id", "desc"),
  );

const list = ofBoth(listed(summariesOfServer));
const listOfOwner = ofBoth(listed(summariesOfOwner));

const newestTime = query<{ server: string; from: number }>()((db, $) =>
  db
    .selectFrom("profile_summary")
    .select("timeline_at")
    .where("server_id", "=", $.server)
    .where("timeline_at", ">=", $.from)
    .orderBy("timeline_at", "desc")
    .limit(1),
);

const bySummaryId = query<{ server: string; id: string }>()((db, $) =>
  profiles(db).where("p.id", "=", $.id).where("p.server_id", "=", $.server),
);

const byProfileId = query<{ server: string; id: string }>()((db, $) =>
  profiles(db).where("d.id", "=", $.id).where("p.server_id", "=", $.server),
);

const document = query<{ id: string }>()((db, $) =>
  db.selectFrom("profile_document").select("document").where("id", "=", $.id),
);

type Row = NonNullable<(typeof list)["all servers"]["types"]>["row"];

function toProfile(row: Row): ProfileRecord {
  const { summary, ...record } = profileSummaryTable.toRecord(row);
  return {
    ...record,
    summary: readStoredSummary(summary),
    serverName: row.server_name,
    profileId: row.document_id,
    longestTickMs: row.longest_tick_ms,
    serviceVersion: row.service_version,
  };
}

/** Newest first by capture, or by upload if that is unknown. */
export function* selectProfiles(
  account: string,
  { serverId: server, trigger, owner, from, to }: ProfileFilter,
  after: TimePosition | null,
  limit: number,
): Work<ProfileRecord[]> {
  const values = { account, server, trigger, ...stretch({ from, to }, after), limit };
  const rows = yield* owner === null
    ? all(list[whoseOf(server)], { ...values, owner: "" })
    : all(listOfOwner[whoseOf(server)], { ...values, owner });
  return rows.map(toProfile);
}

/** Ten times as fast as reading a profile. */
export function* hasProfileSince(server: string, from: Instant): Work<boolean> {
  return (yield* one(newestTime, { server, from })) !== null;
}

/** `id`: of the summary or of the profile. */
export function* selectProfile(server: string, id: string): Work<ProfileRecord | null> {
  const row = (yield* one(bySummaryId, { server, id })) ?? (yield* one(byProfileId, { server, id }));
  return row && toProfile(row);
}

/** The uploaded document as packed JSON; null once it is deleted. */
export function* selectProfileDocument(id: string): Work<Uint8Array | null> {
  return (yield* one(document, { id }))?.document ?? null;
}

/** Null if no reading of this version is stored, or its bytes are damaged. */
export async function readProfileDetail(db: Database, id: string): Promise<DetailBody | null> {
  return unpackedFrom(await db.read(profileReading, "detail", id));
}

/** Null as in `readProfileDetail`. */
export async function readFlameGraph(db: Database, id: string): Promise<FlameGraph | null> {
  return unpackedFrom(await db.read(profileReading, "flameGraph", id));
}
