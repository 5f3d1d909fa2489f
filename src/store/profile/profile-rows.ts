import type { Plans } from "../../core/access/plan.ts";
import type { NewProfile } from "../../core/profile/records.ts";
import { parseInstant } from "../../core/time.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { dropBeyond, keptPlanOfServer } from "./document-limits.ts";
import { requireLinked } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";
import { storeProfileReadings } from "./readings.ts";
import type { RowOf } from "../engine/table.ts";
import { profileDocumentTable, profileOwnerTable, profileSummaryTable } from "./tables.ts";

/** The same server and local id is the same profile: the first one stays. */
const insertSummary = query<RowOf<typeof profileSummaryTable>>()((db, $) =>
  db
    .insertInto("profile_summary")
    .values(placesOf(profileSummaryTable.columns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

const insertDocument = query<RowOf<typeof profileDocumentTable>>()((db, $) =>
  db.insertInto("profile_document").values(placesOf(profileDocumentTable.columns, $)),
);

const insertOwners = bulk<RowOf<typeof profileOwnerTable>>(profileOwnerTable.columns)((db, rows) =>
  db.insertInto("profile_owner").values(rows),
);

const byLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("profile_summary as p")
    .leftJoin("profile_document as d", "d.summary_id", "p.id")
    .select(["p.id", "d.id as document_id"])
    .where("p.server_id", "=", $.server)
    .where("p.local_id", "=", $.local),
);

type Stored = { summaryId: string; profileId: string | null; created: boolean };

/** The profile of that server and local id, whether or not its document is left. */
export function* earlierProfile({ serverId, localId }: NewProfile): Generator<Step, Stored | null, Result> {
  const row = yield* one(byLocalId, { server: serverId, local: localId });
  return row && { summaryId: row.id, profileId: row.document_id, created: false };
}

/** Stores a profile with its document and readings; the oldest documents beyond what the owner's plan keeps go. */
export function* storeProfile(profile: NewProfile, plans: Plans): Generator<Step, Stored, Result> {
  const { id, profileId, serverId, uploadedAt, summary } = profile;
  yield* requireLinked(serverId);
  const capturedAt = summary.created_at === null ? null : parseInstant(summary.created_at);
  const timelineAt = capturedAt ?? uploadedAt;
  const { localId, pluginVersion } = profile;
  const stored = yield* run(insertSummary, {
    ...profileSummaryTable.toRow({ id, serverId, pluginVersion, capturedAt, uploadedAt, summary }),
    local_id: localId,
    triggered_by: summary.trigger,
    timeline_at: timelineAt,
  });
  if (stored === 0) {
    const earlier = yield* earlierProfile(profile);
    if (!earlier) throw new Error("A profile that conflicts with another cannot be alone.");
    return earlier;
  }
  const ownerRow = (owner: string) =>
    profileOwnerTable.toRow({ serverId, owner, timelineAt, summaryId: id, triggeredBy: summary.trigger });
  const owners = new Set(summary.owners.map(({ owner }) => owner));
  yield* insertAll(insertOwners, [...owners].map(ownerRow));
  const stays = { id: profileId, serverId, summaryId: id, uploadedAt };
  yield* run(insertDocument, profileDocumentTable.toRow({ ...profile, ...stays }));
  yield* storeProfileReadings(profileId, profile.readings);
  const { profiles } = plans[yield* keptPlanOfServer(serverId, uploadedAt)];
  const gone = yield* dropBeyond("profile_document", serverId, profiles);
  return { summaryId: id, profileId: gone.includes(profileId) ? null : profileId, created: true };
}
