import { sql } from "kysely";
import type { ProfileRecord, ProfileStore } from "../../core/profile/store.ts";
import { all, one, type Database } from "../engine/database.ts";
import { newestIds, stretch, type NewestValues } from "../metric/newest-of-servers.ts";
import { earlierProfile, storeProfile } from "./profile-rows.ts";
import { unpackedFrom } from "../engine/packed.ts";
import { query, type Builder } from "../engine/query.ts";
import { profileSummaryTable } from "./tables.ts";
import { keepProfileReadings, profileReading } from "./readings.ts";

/** Summaries with their server's name, and what is known while the document is kept. */
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

const summariesOfServer = (db: Builder, $: ListValues) =>
  db
    .selectFrom("profile_summary as q")
    .select("q.id")
    .where(sql<boolean>`q.server_id = s.id`)
    .where(triggeredBy($.trigger))
    .where("q.timeline_at", ">=", $.from)
    .where(sql<boolean>`(q.timeline_at, q.id) < (${$.at}, ${$.id})`)
    .orderBy("q.timeline_at", "desc")
    .orderBy("q.id", "desc")
    .limit($.limit);

const summariesOfOwner = (db: Builder, $: ListValues) =>
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
    .limit($.limit);

const listed = (ofServer: typeof summariesOfServer | typeof summariesOfOwner) =>
  query<ListValues>()((db, $, dialect) =>
    profiles(db)
      .where("p.id", "in", newestIds("profile_summary", ofServer(db, $), $, dialect))
      .orderBy("p.timeline_at", "desc")
      .orderBy("p.id", "desc"),
  );

const list = listed(summariesOfServer);
const listOfOwner = listed(summariesOfOwner);

const bySummaryId = query<{ server: string; id: string }>()((db, $) =>
  profiles(db).where("p.id", "=", $.id).where("p.server_id", "=", $.server),
);

const byProfileId = query<{ server: string; id: string }>()((db, $) =>
  profiles(db).where("d.id", "=", $.id).where("p.server_id", "=", $.server),
);

const document = query<{ id: string }>()((db, $) =>
  db.selectFrom("profile_document").select("document").where("id", "=", $.id),
);

type Row = NonNullable<(typeof list)["types"]>["row"];

const toProfile = (row: Row): ProfileRecord =>
  Object.assign(profileSummaryTable.toRecord(row), {
    serverName: row.server_name,
    profileId: row.document_id,
    longestTickMs: row.longest_tick_ms,
    serviceVersion: row.service_version,
  });

export function profileStore(db: Database): ProfileStore {
  return {
    insert: async (profile, plans) => {
      // A repeated upload is answered without a write.
      const earlier = await db.read(() => earlierProfile(profile));
      return earlier ?? db.write("saved", () => storeProfile(profile, plans));
    },
    list: (account, { serverId: server, trigger, owner, from, to }, after, limit) =>
      db.read(function* () {
        const values = { account, server, trigger, ...stretch({ from, to }, after), limit };
        const rows = yield* owner === null
          ? all(list, { ...values, owner: "" })
          : all(listOfOwner, { ...values, owner });
        return rows.map(toProfile);
      }),
    find: (server, id) =>
      db.read(function* () {
        const row = (yield* one(bySummaryId, { server, id })) ?? (yield* one(byProfileId, { server, id }));
        return row && toProfile(row);
      }),
    document: async (id) => {
      const row = await db.read(() => one(document, { id }));
      return row && row.document;
    },
    detail: async (id) => unpackedFrom(await db.read(() => profileReading("detail", id))),
    flameGraph: async (id) => unpackedFrom(await db.read(() => profileReading("flameGraph", id))),
    keepReadings: (id, readings) => db.write("counted", () => keepProfileReadings(id, readings)),
  };
}
