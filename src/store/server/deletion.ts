import { deletion } from "../engine/batches.ts";
import { documentsAtATime } from "../profile/document-limits.ts";
import { forUpdate, query, type Query } from "../engine/query.ts";

/** Blocks deleted in one transaction: some hundred kilobytes. */
const blocksAtATime = 10;

const ofServer = deletion<{ server: string }>();

/** Deletions of a server's many or large rows, with the number of rows per transaction. */
export const serverPortions: readonly (readonly [Query<{ server: string }, unknown>, number?])[] = [
  [ofServer("sample", ["server_id", "sampled_at"], (row, $) => row("server_id", "=", $.server))],
  [
    ofServer(
      "sample_block",
      ["server_id", "day"],
      (row, $) => row("server_id", "=", $.server),
      blocksAtATime,
    ),
    blocksAtATime,
  ],
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

export const lockDueServer = query<{ id: string; now: number }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("server").select("id").where("id", "=", $.id).where("kept_until", "<=", $.now),
  ),
);

export const dueServers = query<{ now: number; limit: number }>()((db, $) =>
  db
    .selectFrom("server")
    .select("id")
    .where("kept_until", "<=", $.now)
    .orderBy("kept_until")
    .orderBy("id")
    .limit($.limit),
);
