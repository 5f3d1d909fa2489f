import type { Tables } from "../tables.ts";

export type TableName = keyof Tables;

/** True if exports contain the table, otherwise the reason. Tables come after those they refer to. */
const travels: Readonly<Record<TableName, true | string>> = {
  account: true,
  // Tells the next start whether the secret was moved too.
  secret_check: true,
  // Sealed with the service's secret, which is moved too.
  second_factor: true,
  recovery_code: true,
  // A move must not reopen what wrong codes closed.
  wrong_factor: true,
  // Public keys, which stay valid at the same address.
  passkey: true,
  api_token: true,
  // Digests of connectors' tokens, which stay valid at the same address.
  oauth_record: true,
  // A move must not reset the calls that an account has used.
  rate_window: true,
  activity: true,
  server_group: true,
  server: true,
  monitoring_order: true,
  server_credential: true,
  retired_credential: true,
  link_code: true,
  write_replay: true,
  sample: true,
  sample_block: true,
  report: true,
  unit_test: true,
  provider: true,
  offer: true,
  auto_bench_target: true,
  runner: true,
  auto_bench_job: true,
  server_event: true,
  server_software: true,
  server_health: true,
  server_baseline: true,
  load_day: true,
  monitoring_transition: true,
  maintenance: true,
  recurring_maintenance: true,
  alert_rule: true,
  event_rule: true,
  alert: true,
  dispatch: true,
  notification_setting: true,
  inbox: true,
  test_message: true,
  profile_summary: true,
  profile_owner: true,
  profile_document: true,
  profile_reading: true,
  memory_report: true,
  memory_document: true,
  memory_reading: true,
  profile_link: true,
  status_page: true,
  status_page_server: true,
  service_log: true,
  security_log: true,
  session: "a browser signs in again after a move: its cookie belongs to the old address",
  pending_address: "a code that is good for half an hour is asked for again after a move",
  one_time_code: "the links in the mails lead to the old address; a new one is asked for in a moment",
  dialogue_session:
    "a convenience of a connection: a client that connects anew after a move sets it up again",
  dialogue_watch: "a convenience of a connection: a client that connects anew after a move watches again",
  dialogue_question: "the call that waits for the answer is one to the old address",
  report_standing: "counted anew from the reports within an hour",
  database_identity:
    "the place has an identity of its own: backups of the old database are not those of the new one",
  job: "leases of the processes of one installation, counted in the time since its machine started",
};

const tables = Object.entries(travels) as [TableName, true | string][];

export const exportedTables: readonly TableName[] = tables
  .filter(([, carried]) => carried === true)
  .map(([table]) => table);

/** What a service writes before anybody uses it; these rows do not prevent an import. */
export const ownNotes: readonly TableName[] = ["service_log", "secret_check"];

export const tablesToBeEmpty: readonly TableName[] = exportedTables.filter(
  (table) => !ownNotes.includes(table),
);

export const tablesLeftOut: Readonly<Record<string, string>> = {
  ...Object.fromEntries(tables.filter(([, carried]) => carried !== true)),
  schema_migration: "every installation writes its own; an export says its newest in the header",
};
