import type { NewReport, ReportStore } from "../../core/report/store.ts";
import { takeReport } from "../auto-bench/auto-bench-rows.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { requireLinked } from "../server/locks.ts";
import { queueNotice } from "../notice/outbox.ts";
import { query } from "../engine/query.ts";
import { storeUnitTests } from "../unit-test/unit-test-rows.ts";

const insert = query<{
  id: string;
  short: string;
  author: string;
  server: string;
  local: string;
  source: string;
  job: string | null;
  mode: string;
  type: string | null;
  created: number;
  finished: number;
  expires: number | null;
  description: string | null;
  content: string;
  payload: string;
}>()((db, $) =>
  db
    .insertInto("report")
    .values({
      id: $.id,
      short_id: $.short,
      author_id: $.author,
      server_id: $.server,
      local_id: $.local,
      visibility: "private",
      source: $.source,
      job_id: $.job,
      benchmark_mode: $.mode,
      server_type: $.type,
      created_at: $.created,
      finished_at: $.finished,
      expires_at: $.expires,
      description: $.description,
      content: $.content,
      payload: $.payload,
    })
    .onConflict((conflict) => conflict.columns(["server_id", "local_id"]).doNothing()),
);

const byLocalId = query<{ server: string; local: string }>()((db, $) =>
  db
    .selectFrom("report")
    .select(["id", "short_id"])
    .where("server_id", "=", $.server)
    .where("local_id", "=", $.local),
);

/** The job a report belongs to; refuses a report of a run that takes none. */
function* jobOf({ run: of, serverId, createdAt }: NewReport): Generator<Step, string | null, Result> {
  const job = of ? yield* takeReport(of.nonce, serverId, createdAt) : null;
  return job ?? of?.refuse() ?? null;
}

type Stored = Awaited<ReturnType<ReportStore["insert"]>>;

/** Stores a report with what belongs to it: word to its owner, its single test, its place in a scheduled run. */
export function* insertReport(
  ...[report, notice, unitTest]: Parameters<ReportStore["insert"]>
): Generator<Step, Stored, Result> {
  const { id, shortId, authorId, serverId, localId, source, content } = report;
  yield* requireLinked(serverId);
  const before = report.run && (yield* one(byLocalId, { server: serverId, local: localId }));
  if (before) return { id: before.id, shortId: before.short_id, created: false };
  const job = yield* jobOf(report);
  const stored = yield* run(insert, {
    id,
    short: shortId,
    author: authorId,
    server: serverId,
    local: localId,
    source,
    job,
    mode: content.benchmark_mode,
    type: content.server.type,
    created: report.createdAt,
    finished: report.finishedAt,
    expires: report.expiresAt,
    description: report.description,
    content: JSON.stringify(content),
    payload: report.payload,
  });
  if (stored === 1) {
    if (notice) yield* queueNotice(notice);
    if (unitTest) yield* storeUnitTests([unitTest], job);
    return { id, shortId, created: true };
  }
  const earlier = yield* one(byLocalId, { server: serverId, local: localId });
  if (!earlier) throw new Error("A report that conflicts with another cannot be alone.");
  return { id: earlier.id, shortId: earlier.short_id, created: false };
}
