import { sql } from "kysely";
import type { TableName } from "../transfer/tables.ts";
import {
  deleteAccounts,
  deleteServers,
  statement,
  type Deletion,
  type DeletionRule,
} from "./deletion-statements.ts";

/** A report stays with its author when its server is deleted; without author it stays while certified. */
const report: DeletionRule = {
  server: [
    statement((db, $) => db.updateTable("report").set({ server_id: null }).where("server_id", "=", $.id)),
  ],
  account: [
    statement((db, $) =>
      db
        .updateTable("report")
        .set({ author_id: null, private_notes: null, label: null })
        .where("author_id", "=", $.id)
        .where("certificate_expires_at", ">", $.now),
    ),
    statement((db, $) => db.deleteFrom("report").where("author_id", "=", $.id)),
  ],
};

const unitTest: DeletionRule = {
  server: [
    statement((db, $) => db.updateTable("unit_test").set({ server_id: null }).where("server_id", "=", $.id)),
  ],
  account: [statement((db, $) => db.deleteFrom("unit_test").where("author_id", "=", $.id))],
};

const dispatch: DeletionRule = {
  server: [
    statement((db, $) =>
      db
        .deleteFrom("dispatch")
        .where("alert_id", "in", (of) => of.selectFrom("alert").select("id").where("server_id", "=", $.id)),
    ),
  ],
  account: [statement((db, $) => db.deleteFrom("dispatch").where("account_id", "=", $.id))],
};

const job: DeletionRule = {
  server: [
    statement((db, $) =>
      db
        .deleteFrom("auto_bench_job")
        .where("target_id", "in", (of) =>
          of.selectFrom("auto_bench_target").select("id").where("server_id", "=", $.id),
        ),
    ),
  ],
  account: [statement((db, $) => db.deleteFrom("auto_bench_job").where("account_id", "=", $.id))],
};

const target: DeletionRule = {
  server: [statement((db, $) => db.deleteFrom("auto_bench_target").where("server_id", "=", $.id))],
  account: [statement((db, $) => db.deleteFrom("auto_bench_target").where("account_id", "=", $.id))],
};

const inbox: DeletionRule = {
  server: [statement((db, $) => db.deleteFrom("inbox").where("server_id", "=", $.id))],
  account: [statement((db, $) => db.deleteFrom("inbox").where("account_id", "=", $.id))],
};

/** A deleted server's plugin is still told that its credential was revoked. */
const credential: DeletionRule = {
  server: [
    statement((db, $) =>
      db
        .insertInto("retired_credential")
        .columns(["digest", "revoked_at"])
        .expression((of) =>
          of
            .selectFrom("server_credential")
            .select((row) => ["digest", row.fn.coalesce("revoked_at", row.val($.now)).as("revoked_at")])
            .where("server_id", "=", $.id),
        ),
    ),
    statement((db, $) => db.deleteFrom("server_credential").where("server_id", "=", $.id)),
  ],
};

/** Codes mailed to an account, or to its address before the account existed. */
const oneTimeCode: DeletionRule = {
  account: [
    statement((db, $) =>
      db
        .deleteFrom("one_time_code")
        .where((row) =>
          row.or([
            row("account_id", "=", $.id),
            row("email", "in", row.selectFrom("account").select("email").where("id", "=", $.id)),
          ]),
        ),
    ),
  ],
};

/** Clients' requests that the account answered have no token. Records of a grant go with its token. */
const oauthRecord: DeletionRule = {
  account: [
    statement((db, $) =>
      db
        .deleteFrom("oauth_record")
        .where("token_id", "is", null)
        .where(sql<boolean>`payload like '%' || cast(${$.id} as text) || '%'`),
    ),
  ],
};

const serviceLog: DeletionRule = {
  account: [
    statement((db, $) => db.updateTable("service_log").set({ actor_id: null }).where("actor_id", "=", $.id)),
    statement((db, $) =>
      db.updateTable("service_log").set({ account_id: null }).where("account_id", "=", $.id),
    ),
  ],
};

/** A page belongs to its account; its servers are removed from it when the page is deleted. */
const statusPageServer: DeletionRule = {
  ...deleteServers("status_page_server"),
  account: [
    statement((db, $) =>
      db
        .deleteFrom("status_page_server")
        .where("page_id", "in", (of) =>
          of.selectFrom("status_page").select("id").where("account_id", "=", $.id),
        ),
    ),
  ],
};

const rateWindow: DeletionRule = {
  account: [
    statement((db, $) =>
      db
        .deleteFrom("rate_window")
        .where((row) =>
          row.or([
            row("key", "=", $.id),
            row("key", "in", row.selectFrom("api_token").select("id").where("account_id", "=", $.id)),
          ]),
        ),
    ),
  ],
};

const ofTokens = (table: "dialogue_session" | "dialogue_question"): DeletionRule => ({
  account: [
    statement((db, $) =>
      db
        .deleteFrom(table)
        .where("token_id", "in", (of) =>
          of.selectFrom("api_token").select("id").where("account_id", "=", $.id),
        ),
    ),
  ],
});

/** A watch has its server's id in its URI. With an account it is deleted by its session's row. */
const dialogueWatch: DeletionRule = {
  server: [
    statement((db, $) =>
      db.deleteFrom("dialogue_watch").where(sql<boolean>`uri like '%' || cast(${$.id} as text) || '%'`),
    ),
  ],
};

/** How each table's rows are deleted with a server or an account, or why not. Referring tables come first. */
const rules: Readonly<Record<TableName, DeletionRule | string>> = {
  session: deleteAccounts("session"),
  second_factor: deleteAccounts("second_factor"),
  recovery_code: deleteAccounts("recovery_code"),
  wrong_factor: deleteAccounts("wrong_factor"),
  passkey: deleteAccounts("passkey"),
  one_time_code: oneTimeCode,
  activity: deleteAccounts("activity"),
  pending_address: deleteAccounts("pending_address"),
  oauth_record: oauthRecord,
  rate_window: rateWindow,
  dialogue_watch: dialogueWatch,
  dialogue_session: ofTokens("dialogue_session"),
  dialogue_question: ofTokens("dialogue_question"),
  api_token: deleteAccounts("api_token"),
  write_replay: deleteAccounts("write_replay"),
  notification_setting: deleteAccounts("notification_setting"),
  test_message: deleteAccounts("test_message"),
  inbox,
  dispatch,
  alert: {
    ...deleteServers("alert"),
    account: [statement((db, $) => db.deleteFrom("alert").where("account_id", "=", $.id))],
  },
  alert_rule: deleteServers("alert_rule"),
  event_rule: deleteServers("event_rule"),
  maintenance: deleteServers("maintenance"),
  recurring_maintenance: deleteServers("recurring_maintenance"),
  monitoring_order: deleteServers("monitoring_order"),
  server_event: deleteServers("server_event"),
  server_software: deleteServers("server_software"),
  server_health: deleteServers("server_health"),
  server_baseline: deleteServers("server_baseline"),
  load_day: deleteServers("load_day"),
  monitoring_transition: deleteServers("monitoring_transition"),
  status_page_server: statusPageServer,
  status_page: deleteAccounts("status_page"),
  sample: deleteServers("sample"),
  sample_block: deleteServers("sample_block"),
  profile_link: deleteAccounts("profile_link"),
  profile_reading: "goes with its document",
  profile_document: "goes with its summary",
  profile_owner: "goes with its summary",
  profile_summary: deleteServers("profile_summary"),
  memory_reading: "goes with its report",
  memory_document: "goes with its report",
  memory_report: deleteServers("memory_report"),
  report,
  unit_test: unitTest,
  auto_bench_job: job,
  auto_bench_target: target,
  server_credential: credential,
  retired_credential:
    "names nobody: a fingerprint, kept for a while so that its plugin gets the reason of the refusal",
  link_code: {
    server: [statement((db, $) => db.deleteFrom("link_code").where("server_id", "=", $.id))],
    account: [statement((db, $) => db.deleteFrom("link_code").where("used_by", "=", $.id))],
  },
  server: { server: [statement((db, $) => db.deleteFrom("server").where("id", "=", $.id))] },
  server_group: deleteAccounts("server_group"),
  service_log: serviceLog,
  security_log: deleteAccounts("security_log"),
  account: { account: [statement((db, $) => db.deleteFrom("account").where("id", "=", $.id))] },
  provider: "belongs to the operator's catalogue",
  offer: "belongs to the operator's catalogue",
  runner: "belongs to the operator",
  report_standing: "counts of public reports, which name nobody",
  secret_check: "the service's own: it says whose secret sealed what accounts keep",
  database_identity: "of the whole database",
  job: "the leases of the service's own work",
};

const inOrder = (whose: "server" | "account"): readonly Deletion[] =>
  Object.values(rules).flatMap((rule) => (typeof rule === "string" ? [] : (rule[whose] ?? [])));

export const onDeleteServer = inOrder("server");

/** The account's servers must already be deleted. */
export const onDeleteAccount = inOrder("account");
