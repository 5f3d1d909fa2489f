import type { EventRecord } from "../../core/event/server-event.ts";
import { healthEventTypes } from "../../core/health/changes.ts";
import type { Instant } from "../../core/time.ts";
import { all, one, type Work } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import { serverEventTable } from "../event/server-event-table.ts";

const firstSample = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("sample")
    .select("sampled_at")
    .where("server_id", "=", $.server)
    .orderBy("sampled_at")
    .limit(1),
);

const firstRollup = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("sample_rollup")
    .select("bucket_at")
    .where("server_id", "=", $.server)
    .orderBy("bucket_at")
    .limit(1),
);

const lastSample = query<{ server: string; before: number }>()((db, $) =>
  db
    .selectFrom("sample")
    .select("sampled_at")
    .where("server_id", "=", $.server)
    .where("sampled_at", "<", $.before)
    .orderBy("sampled_at", "desc")
    .limit(1),
);

const nextSample = query<{ server: string; from: number }>()((db, $) =>
  db
    .selectFrom("sample")
    .select("sampled_at")
    .where("server_id", "=", $.server)
    .where("sampled_at", ">=", $.from)
    .orderBy("sampled_at")
    .limit(1),
);

const nextRollup = query<{ server: string; from: number }>()((db, $) =>
  db
    .selectFrom("sample_rollup")
    .select("bucket_at")
    .where("server_id", "=", $.server)
    .where("bucket_at", ">=", $.from)
    .orderBy("bucket_at")
    .limit(1),
);

const lastRollup = query<{ server: string; before: number }>()((db, $) =>
  db
    .selectFrom("sample_rollup")
    .select("bucket_at")
    .where("server_id", "=", $.server)
    .where("bucket_at", "<", $.before)
    .orderBy("bucket_at", "desc")
    .limit(1),
);

/** Entries of these categories are about the server itself, never about its players; those of other types are not looked at. */
const ofServer = query<{ server: string; from: number; to: number; limit: number }>()((db, $) =>
  db
    .selectFrom("server_event as e")
    .select(serverEventTable.columns)
    .where("e.server_id", "=", $.server)
    .where("e.timeline_at", ">=", $.from)
    .where("e.timeline_at", "<=", $.to)
    .where("e.category", "in", ["lifecycle", "custom"])
    .where("e.type", "in", healthEventTypes)
    .orderBy("e.timeline_at", "desc")
    .orderBy("e.id", "desc")
    .limit($.limit),
);

/** The instant of a server's oldest sample that is kept; null when there is none. */
export function* selectFirstSampleTime(server: string): Work<Instant | null> {
  const rolled = yield* one(firstRollup, { server });
  return rolled?.bucket_at ?? (yield* one(firstSample, { server }))?.sampled_at ?? null;
}

/** The first sample from an instant on, or the five minutes that it became a part of; null when there is none. */
export function* selectNextSampleTime(server: string, from: Instant): Work<Instant | null> {
  const rolled = yield* one(nextRollup, { server, from });
  return rolled?.bucket_at ?? (yield* one(nextSample, { server, from }))?.sampled_at ?? null;
}

/** The newest sample before an instant, or the five minutes that it became a part of; null when there is none. */
export function* selectLastSampleTime(
  server: string,
  before: Instant,
): Work<{ readonly at: Instant; readonly rolled: boolean } | null> {
  const sample = yield* one(lastSample, { server, before });
  const rollup = yield* one(lastRollup, { server, before });
  if (rollup && rollup.bucket_at >= (sample?.sampled_at ?? 0)) return { at: rollup.bucket_at, rolled: true };
  return sample === null ? null : { at: sample.sampled_at, rolled: false };
}

/** The timeline of a server without its players' moderation, newest first, both ends included. */
export function* selectServerEvents(
  server: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  limit: number,
): Work<EventRecord[]> {
  return (yield* all(ofServer, { server, from, to, limit })).map(serverEventTable.toRecord);
}
