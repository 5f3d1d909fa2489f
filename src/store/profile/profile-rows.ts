import type { Plans } from "../../core/access/plan.ts";
import type { NewProfile, ProfileStore } from "../../core/profile/store.ts";
import { parseInstant } from "../../core/time.ts";
import { bulk, insertAll } from "../engine/bulk.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { dropBeyond, keptPlanOfServer } from "./document-limits.ts";
import { requireLinked } from "../server/locks.ts";
import { placesOf, query } from "../engine/query.ts";
import { storeProfileReadings } from "./readings.ts";
import type { Tables } from "../schema/tables.ts";

type SummaryRow = Tables["profile_summary"];
type DocumentRow = Tables["profile_document"];
type OwnerRow = Tables["profile_owner"];

const summaryColumns = [
  "id",
  "server_id",
  "local_id",
  "plugin_version",
  "triggered_by",
  "captured_at",
  "uploaded_at",
  "timeline_at",
  "summary",
] as const satisfies readonly (keyof SummaryRow)[];

const documentColumns = [
  "id",
  "server_id",
  "summary_id",
  "uploaded_at",
  "longest_tick_ms",
  "service_version",
  "document",
] as const satisfies readonly (keyof DocumentRow)[];

const ownerColumns = [
  "server_id",
  "owner",
  "timeline_at",
  "summary_id",
  "triggered_by",
] as const satisfies readonly (keyof OwnerRow)[];

/** The same server and local id is the same profile: the first one stays. */
const insertSummary = query<Pick<SummaryRow, (typeof summaryColumns)[number]>>()((db, $) =>
  db
    .insertInto("profile_summary")
    .values(placesOf(summaryColumns, $))
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

const insertDocument = query<Pick<DocumentRow, (typeof documentColumns)[number]>>()((db, $) =>
  db.insertInto("profile_document").values(placesOf(documentColumns, $)),
);

const insertOwners = bulk<Pick<OwnerRow, (typeof ownerColumns)[number]>>(ownerColumns)((db, rows) =>
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

type Stored = Awaited<ReturnType<ProfileStore["insert"]>>;

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
  const stored = yield* run(insertSummary, {
    id,
    server_id: serverId,
    local_id: profile.localId,
    plugin_version: profile.pluginVersion,
    triggered_by: summary.trigger,
    captured_at: capturedAt,
    uploaded_at: uploadedAt,
    timeline_at: timelineAt,
    summary: JSON.stringify(summary),
  });
  if (stored === 0) {
    const earlier = yield* earlierProfile(profile);
    if (!earlier) throw new Error("A profile that conflicts with another cannot be alone.");
    return earlier;
  }
  const ownerRow = (owner: string) => ({
    server_id: serverId,
    owner,
    timeline_at: timelineAt,
    summary_id: id,
    triggered_by: summary.trigger,
  });
  const owners = new Set(summary.owners.map(({ owner }) => owner));
  yield* insertAll(insertOwners, [...owners].map(ownerRow));
  yield* run(insertDocument, {
    id: profileId,
    server_id: serverId,
    summary_id: id,
    uploaded_at: uploadedAt,
    longest_tick_ms: profile.longestTickMs,
    service_version: profile.serviceVersion,
    document: profile.document,
  });
  yield* storeProfileReadings(profileId, profile.readings);
  const { profiles } = plans[yield* keptPlanOfServer(serverId, uploadedAt)];
  const gone = yield* dropBeyond("profile_document", serverId, profiles);
  return { summaryId: id, profileId: gone.includes(profileId) ? null : profileId, created: true };
}
