import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { keptMs, type PruneStore } from "../core/job/prune.ts";
import { keptFrom } from "../core/metric/chunk.ts";
import { run, type Database } from "./database.ts";
import { query, type Query } from "./query.ts";
import { eachServer } from "./series-servers.ts";

/** Rows deleted in one transaction: few enough that nobody waits for it. */
const batch = 500;

type Before = { before: number };

const rateWindows = query<Before>()((db, $) =>
  db
    .deleteFrom("rate_window")
    .where(({ eb, refTuple }) =>
      eb(
        refTuple("kind", "key"),
        "in",
        db
          .selectFrom("rate_window")
          .select(["kind", "key"])
          .where("opened_at", "<", $.before)
          .limit(sql.lit(batch))
          .$asTuple("kind", "key"),
      ),
    ),
);

const writeReplays = query<Before>()((db, $) =>
  db
    .deleteFrom("write_replay")
    .where(({ eb, refTuple }) =>
      eb(
        refTuple("account_id", "route", "slot"),
        "in",
        db
          .selectFrom("write_replay")
          .select(["account_id", "route", "slot"])
          .where("created_at", "<", $.before)
          .limit(sql.lit(batch))
          .$asTuple("account_id", "route", "slot"),
      ),
    ),
);

const unusedLinkCodes = query<Before>()((db, $) =>
  db
    .deleteFrom("link_code")
    .where(
      "code",
      "in",
      db
        .selectFrom("link_code")
        .select("code")
        .where("used_by", "is", null)
        .where("expires_at", "<", $.before)
        .limit(sql.lit(batch)),
    ),
);

const usedLinkCodes = query<Before>()((db, $) =>
  db
    .deleteFrom("link_code")
    .where(
      "code",
      "in",
      db
        .selectFrom("link_code")
        .select("code")
        .where("used_by", "is not", null)
        .where("expires_at", "<", $.before)
        .limit(sql.lit(batch)),
    ),
);

const credentials = query<Before>()((db, $) =>
  db
    .deleteFrom("server_credential")
    .where(
      "digest",
      "in",
      db
        .selectFrom("server_credential")
        .select("digest")
        .where("revoked_at", "<", $.before)
        .limit(sql.lit(batch)),
    ),
);

const testMessages = query<Before>()((db, $) =>
  db
    .deleteFrom("test_message")
    .where(
      "id",
      "in",
      db.selectFrom("test_message").select("id").where("sent_at", "<", $.before).limit(sql.lit(batch)),
    ),
);

const reports = query<Before>()((db, $) =>
  db.deleteFrom("report").where(
    "id",
    "in",
    db
      .selectFrom("report")
      .select("id")
      .where("expires_at", "<", $.before)
      // A certificate keeps its report while it holds, whatever else would end it.
      .where((eb) =>
        eb.or([eb("certificate_expires_at", "is", null), eb("certificate_expires_at", "<", $.before)]),
      )
      .limit(sql.lit(batch)),
  ),
);

const unitTests = query<Before>()((db, $) =>
  db
    .deleteFrom("unit_test")
    .where(
      "id",
      "in",
      db.selectFrom("unit_test").select("id").where("expires_at", "<", $.before).limit(sql.lit(batch)),
    ),
);

const alerts = query<Before>()((db, $) =>
  db
    .deleteFrom("alert")
    .where(
      "id",
      "in",
      db
        .selectFrom("alert")
        .select("id")
        .where("status", "=", "resolved")
        .where("opened_at", "<", $.before)
        .limit(sql.lit(batch)),
    ),
);

const inbox = query<Before>()((db, $) =>
  db
    .deleteFrom("inbox")
    .where(
      "id",
      "in",
      db.selectFrom("inbox").select("id").where("created_at", "<", $.before).limit(sql.lit(batch)),
    ),
);

/** The operator's measurements of an offer stay: what the offer shows of them is found through their jobs. */
const jobs = query<Before>()((db, $) =>
  db
    .deleteFrom("auto_bench_job")
    .where(
      "id",
      "in",
      db
        .selectFrom("auto_bench_job as j")
        .innerJoin("auto_bench_target as t", "t.id", "j.target_id")
        .select("j.id")
        .where("j.finished_at", "<", $.before)
        .where("t.offer_id", "is", null)
        .limit(sql.lit(batch)),
    ),
);

const eventsOf = query<Before & { server: string }>()((db, $) =>
  db
    .deleteFrom("server_event")
    .where(
      "id",
      "in",
      db
        .selectFrom("server_event")
        .select("id")
        .where("server_id", "=", $.server)
        .where("timeline_at", "<", $.before)
        .limit(sql.lit(batch)),
    ),
);

/** What is kept for a time, whoever owns it. */
const byAge: readonly (readonly [Query<Before, unknown>, number])[] = [
  [rateWindows, keptMs.rateWindow],
  [writeReplays, keptMs.writeReplay],
  [unusedLinkCodes, keptMs.unusedLinkCode],
  [usedLinkCodes, keptMs.usedLinkCode],
  [credentials, keptMs.revokedCredential],
  [testMessages, keptMs.testMessage],
  [reports, keptMs.expiredReport],
  [unitTests, keptMs.expiredReport],
  [alerts, keptMs.resolvedAlert],
  [inbox, keptMs.inbox],
  [jobs, keptMs.finishedJob],
];

/** Whole batches follow one another until one is not full; other work gets its turn between them. */
async function* untilDone(deleteSome: () => Promise<number>): AsyncGenerator<number> {
  for (let deleted = batch; deleted >= batch;) {
    deleted = await deleteSome();
    if (deleted > 0) yield deleted;
    await setImmediate();
  }
}

export function pruneStore(db: Database): PruneStore {
  return {
    prune: async function* (now, plans) {
      for (const [deletion, kept] of byAge)
        yield* untilDone(() => db.write("counted", () => run(deletion, { before: now - kept })));
      for await (const { id, keptPlan } of eachServer(db, now)) {
        const before = keptFrom(plans[keptPlan].retention_days, now);
        yield* untilDone(() => db.write("counted", () => run(eventsOf, { server: id, before })));
      }
    },
  };
}
