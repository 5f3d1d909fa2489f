import { deletion, untilDone } from "../../store/engine/batches.ts";
import { all, one, run, type Database, type Result, type Step } from "../../store/engine/database.ts";
import { documentsAtATime } from "../../store/profile/document-limits.ts";
import { onDeleteServer } from "../../store/server/deletion-rules.ts";
import { forUpdate, query, type Query } from "../../store/engine/query.ts";

const ofServer = deletion<{ server: string }>();

/** What a server has many of, or large ones, with how many of them go at a time. */
const heaps: readonly (readonly [Query<{ server: string }, unknown>, number?])[] = [
  [ofServer("sample", ["server_id", "sampled_at"], (row, $) => row("server_id", "=", $.server))],
  [ofServer("sample_rollup", ["server_id", "bucket_at"], (row, $) => row("server_id", "=", $.server))],
  [ofServer("server_event", ["id"], (row, $) => row("server_id", "=", $.server))],
  [ofServer("alert", ["id"], (row, $) => row("server_id", "=", $.server))],
  [
    ofServer("profile_summary", ["id"], (row, $) => row("server_id", "=", $.server), documentsAtATime),
    documentsAtATime,
  ],
  [
    ofServer("memory_report", ["id"], (row, $) => row("server_id", "=", $.server), documentsAtATime),
    documentsAtATime,
  ],
];

const lockDue = query<{ id: string; now: number }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("server").select("id").where("id", "=", $.id).where("kept_until", "<=", $.now),
  ),
);

const due = query<{ now: number; limit: number }>()((db, $) =>
  db
    .selectFrom("server")
    .select("id")
    .where("kept_until", "<=", $.now)
    .orderBy("kept_until")
    .orderBy("id")
    .limit($.limit),
);

/** Deletes a server and what is left of its data; nothing when it is linked, or still kept. */
export function* removeServer(id: string, now: number): Generator<Step, number, Result> {
  if ((yield* one(lockDue, { id, now })) === null) return 0;
  let deleted = 0;
  for (const goes of onDeleteServer) deleted += yield* run(goes, { id, now });
  return deleted;
}

/** The same, what there may be much of in portions first: between two of them other work gets its turn. */
export async function* removeInPortions(db: Database, id: string, now: number): AsyncGenerator<number> {
  if ((await db.read(() => one(lockDue, { id, now }))) === null) return;
  for (const [goes, most] of heaps)
    yield* untilDone(() => db.write("counted", () => run(goes, { server: id })), most);
  yield await db.write("saved", () => removeServer(id, now));
}

const serversAtATime = 50;

/** Deletes the servers whose time to come back is over. */
export async function* removeDueServers(db: Database, now: number): AsyncGenerator<number> {
  for (;;) {
    const rows = await db.read(() => all(due, { now, limit: serversAtATime }));
    for (const { id } of rows) yield* removeInPortions(db, id, now);
    if (rows.length < serversAtATime) return;
  }
}
