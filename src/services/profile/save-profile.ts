import type { Plans } from "../../core/access/plan.ts";
import type { NewProfile } from "../../core/profile/records.ts";
import { importSamples } from "../metric/import-samples.ts";
import { parseInstant } from "../../core/time.ts";
import { insertAll } from "../../store/engine/bulk.ts";
import { type Work, one, run, type Database } from "../../store/engine/database.ts";
import { keptPlanOfServer, dropBeyond } from "../../store/profile/document-limits.ts";
import {
  profileByLocalId,
  insertProfileSummary,
  insertProfileOwners,
  insertProfileDocument,
} from "../../store/profile/profile-rows.ts";
import { requireLinked } from "../../store/server/locks.ts";
import { profileSummaryTable, profileOwnerTable, profileDocumentTable } from "../../store/profile/tables.ts";
import { storeProfileReadings } from "../../store/profile/readings.ts";

type Stored = { summaryId: string; profileId: string | null; created: boolean };

function* earlierProfile({ serverId, localId }: NewProfile): Work<Stored | null> {
  const row = yield* one(profileByLocalId, { server: serverId, local: localId });
  return row && { summaryId: row.id, profileId: row.document_id, created: false };
}

function* storeProfile(profile: NewProfile, plans: Plans): Work<Stored> {
  const { id, profileId, serverId, uploadedAt, summary } = profile;
  yield* requireLinked(serverId);
  const capturedAt = summary.created_at === null ? null : parseInstant(summary.created_at);
  const timelineAt = capturedAt ?? uploadedAt;
  const { localId, pluginVersion } = profile;
  const stored = yield* run(insertProfileSummary, {
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
  const named = [...summary.owners, ...(summary.owners_by_total ?? [])];
  const owners = new Set(named.map(({ owner }) => owner));
  yield* insertAll(insertProfileOwners, [...owners].map(ownerRow));
  const stays = { id: profileId, serverId, summaryId: id, uploadedAt };
  yield* run(insertProfileDocument, profileDocumentTable.toRow({ ...profile, ...stays }));
  yield* storeProfileReadings(profileId, profile.readings);
  if (profile.measured !== null) yield* importSamples(serverId, profile.measured, plans, uploadedAt);
  const { profiles } = plans[yield* keptPlanOfServer(serverId, uploadedAt)];
  const gone = yield* dropBeyond("profile_document", serverId, profiles);
  return { summaryId: id, profileId: gone.includes(profileId) ? null : profileId, created: true };
}

/**
 * A known `local_id` stores nothing and returns the earlier ids. Documents beyond the plan's limit are
 * deleted, the oldest first; their summaries stay. `profileId` is null if no document is kept.
 */
export async function saveProfile(
  db: Database,
  profile: NewProfile,
  plans: Plans,
): Promise<{ summaryId: string; profileId: string | null; created: boolean }> {
  // A repeated upload needs no write.
  const earlier = await db.read(() => earlierProfile(profile));
  return earlier ?? db.write(() => storeProfile(profile, plans));
}
