import type { Plans } from "../../core/access/plan.ts";
import { keptMs } from "../../core/job/kept-for.ts";
import { keptFrom } from "../../core/metric/chunk.ts";
import { deletion, untilDone } from "../engine/batches.ts";
import { run, type Database } from "../engine/database.ts";
import type { Query } from "../engine/query.ts";
import { eachServer } from "../metric/series-servers.ts";

type Before = { before: number };

const old = deletion<Before>();

/** Kinds of rows with a fixed retention, the same for all owners. */
const byAge: readonly (readonly [Query<Before, unknown>, number])[] = [
  [old("rate_window", ["kind", "key"], (row, $) => row("opened_at", "<", $.before)), keptMs.rateWindow],
  [
    old("write_replay", ["account_id", "route", "slot"], (row, $) => row("created_at", "<", $.before)),
    keptMs.writeReplay,
  ],
  [old("session", ["id"], (row, $) => row("expires_at", "<", $.before)), keptMs.session],
  [old("one_time_code", ["id"], (row, $) => row("expires_at", "<", $.before)), keptMs.oneTimeCode],
  [
    old("link_code", ["code"], (row, $) =>
      row.and([row("used_by", "is", null), row("expires_at", "<", $.before)]),
    ),
    keptMs.unusedLinkCode,
  ],
  [
    old("link_code", ["code"], (row, $) =>
      row.and([row("used_by", "is not", null), row("expires_at", "<", $.before)]),
    ),
    keptMs.usedLinkCode,
  ],
  [
    old("server_credential", ["digest"], (row, $) => row("revoked_at", "<", $.before)),
    keptMs.revokedCredential,
  ],
  [
    old("retired_credential", ["digest"], (row, $) => row("revoked_at", "<", $.before)),
    keptMs.revokedCredential,
  ],
  [old("oauth_record", ["kind", "digest"], (row, $) => row("expires_at", "<", $.before)), keptMs.oauthRecord],
  [
    // Its watches are deleted with it.
    old("dialogue_session", ["token_id", "session"], (row, $) => row("used_at", "<", $.before)),
    keptMs.dialogueSession,
  ],
  [old("dialogue_question", ["id"], (row, $) => row("expires_at", "<", $.before)), keptMs.dialogueQuestion],
  [old("activity", ["account_id", "at", "id"], (row, $) => row("at", "<", $.before)), keptMs.activity],
  [
    // A repeated entry stays until its last time is old. `at`, never later than `last_at`, has the index.
    old("service_log", ["at", "id"], (row, $) =>
      row.and([row("at", "<", $.before), row("last_at", "<", $.before)]),
    ),
    keptMs.serviceLog,
  ],
  [old("security_log", ["at", "id"], (row, $) => row("at", "<", $.before)), keptMs.securityLog],
  [old("test_message", ["id"], (row, $) => row("sent_at", "<", $.before)), keptMs.testMessage],
  [old("profile_link", ["id"], (row, $) => row("expires_at", "<", $.before)), keptMs.profileLink],
  [
    old("pending_address", ["account_id"], (row, $) => row("expires_at", "<", $.before)),
    keptMs.pendingAddress,
  ],
  [
    // A certificate keeps its report while it is valid.
    old("report", ["id"], (row, $) =>
      row.and([
        row("expires_at", "<", $.before),
        row.or([row("certificate_expires_at", "is", null), row("certificate_expires_at", "<", $.before)]),
      ]),
    ),
    keptMs.expiredReport,
  ],
  [old("unit_test", ["id"], (row, $) => row("expires_at", "<", $.before)), keptMs.expiredReport],
  [
    old("alert", ["id"], (row, $) =>
      row.and([row("status", "=", "resolved"), row("opened_at", "<", $.before)]),
    ),
    keptMs.resolvedAlert,
  ],
  [old("inbox", ["id"], (row, $) => row("created_at", "<", $.before)), keptMs.inbox],
  [
    // The operator's measurements of an offer stay: the offer's figures are found through their jobs.
    old("auto_bench_job", ["id"], (row, $) =>
      row.and([
        row("finished_at", "<", $.before),
        row.exists(
          row
            .selectFrom("auto_bench_target as t")
            .select("t.id")
            .whereRef("t.id", "=", "auto_bench_job.target_id")
            .where("t.offer_id", "is", null),
        ),
      ]),
    ),
    keptMs.finishedJob,
  ],
];

const eventsOf = deletion<Before & { server: string }>()("server_event", ["id"], (row, $) =>
  row.and([row("server_id", "=", $.server), row("timeline_at", "<", $.before)]),
);

export async function* pruneByAge(db: Database, now: number): AsyncGenerator<number> {
  for (const [deletion, kept] of byAge)
    yield* untilDone(() => db.writeRelaxed(() => run(deletion, { before: now - kept })));
}

export async function* pruneEvents(db: Database, now: number, plans: Plans): AsyncGenerator<number> {
  for await (const { id, keptPlan, oldestEvent } of eachServer(db, now)) {
    const before = keptFrom(plans[keptPlan].retention_days, now);
    if (oldestEvent === null || oldestEvent >= before) continue;
    yield* untilDone(() => db.writeRelaxed(() => run(eventsOf, { server: id, before })));
  }
}
