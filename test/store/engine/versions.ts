/** The rows an installation of each version may hold: SQL that both dialects understand, with the words migrations have. */
export interface Version {
  readonly id: number;
  readonly rows: readonly string[];
}

const spineRows = [
  `INSERT INTO account VALUES ('a1', 'ann@example.org', 1, 'pro', 'admin', 'hash', 1),
    ('a2', 'bob@example.org', 0, 'free', 'user', NULL, 2)`,
  "INSERT INTO api_token VALUES ('t1', 'a1', 'laptop', 'token', 'd1', 'reports:read', 1, 9, NULL, 3), ('t2', 'a2', 'Éa', 'connector', 'd2', '', 1, 9, 2, NULL)",
  "INSERT INTO rate_window VALUES ('account_day', 'a1', 1, 7), ('token_hour', 't1', 1, 0)",
  "INSERT INTO server_group VALUES ('g1', 'a1', 'Hub', 'teal', 0, 1, 2)",
  `INSERT INTO server VALUES
    ('s1', 'a1', 'i1', 'Lobby', 5, 1, 1, 0, 1, 'play.example.org', 25565, 'g1', 1, 1, 9, 'stopped', 9, 2, 40, NULL, 8, 9, 9, '{"tps":20}'),
    ('s2', 'a2', 'i2', NULL, NULL, 0, 0, 0, 1, NULL, NULL, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
  "INSERT INTO server_credential VALUES ('c1', 's1', 'm1', 1, 2, NULL), ('c2', 's2', 'm2', 1, NULL, 3)",
  `INSERT INTO link_code VALUES ('AAAA2222', 'i1', 'm1', '{"name":"Lobby"}', 1, 9, 'a1', 's1'), ('BBBB3333', 'i3', 'm3', '{}', 1, 9, NULL, NULL)`,
  "INSERT INTO write_replay VALUES ('a1', 'groups', 'key:k', 'b', 'g1', 2, 1)",
  "INSERT INTO sample (server_id, sampled_at, received_at, tps, player_count, detail) VALUES ('s1', 9, 9, 19.98, 12, NULL), ('s1', 8, 9, NULL, NULL, '{}')",
  `INSERT INTO report VALUES ('r1', 'short1', 'a1', 's1', 'l1', 'public', 'manual', 'standard', 'paper', 1, 9, 1, 1, NULL, 'Fast', 'Rack 7', '{"scores":{}}', '{}'),
    ('r2', 'short2', NULL, NULL, 'l2', 'private', 'manual', 'custom', NULL, NULL, NULL, 1, 1, 5, NULL, NULL, '{}', '{}')`,
];

const monitoringRows = [
  "INSERT INTO sample_rollup (server_id, bucket_at, tps_min, tps_max, tps_sum, tps_count) VALUES ('s1', 0, 18.5, 20, 196.2, 10)",
  `INSERT INTO server_event VALUES ('e1', 's1', 'l1', 'ban', 'moderation', 'bans', 'warning', 'Banned', NULL, '{"by":"Ann"}', 5, 5, NULL, 6),
    ('e2', 's1', NULL, 'maintenance_start', 'lifecycle', 'tickmark', 'info', 'Maintenance', NULL, NULL, 5, 5, NULL, 5)`,
  "INSERT INTO maintenance VALUES ('s1', 5, 9, 9, NULL, 'api')",
  "INSERT INTO alert_rule VALUES ('ar1', 's1', 'Low TPS', 'tps', 'below', 18, 5, 30, 0, 0, 1, 1, NULL, NULL, '{}', NULL, NULL, NULL, 1, 1)",
  `INSERT INTO event_rule VALUES ('er1', 's1', 'Bans', 'bans', '["ban"]', '[]', NULL, '[]', 30, 1, 0, 1, 1, NULL, NULL, NULL, 1, 1)`,
  `INSERT INTO alert VALUES ('al1', 'a1', 's1', 'Lobby', 'threshold', 'open', 'ar1', 'Low TPS', 'tps', 'below', 18, 5, 14.2, 11.9, 'running', NULL, 4, 5, NULL, NULL, NULL, NULL, 0, 0, 1, '{}')`,
  "INSERT INTO dispatch VALUES ('d1', 'a1', 'email', 'opened', 'al1', 'ar1', '{}', 0, 5, NULL, 5)",
  "INSERT INTO notification_setting VALUES ('a1', NULL, NULL, NULL, 0, 0, 1)",
  "INSERT INTO inbox VALUES ('n1', 'a1', 'alert', '{}', 's1', 'al1', 5, NULL)",
  "INSERT INTO test_message VALUES ('tm1', 'a1', 5)",
  "INSERT INTO job VALUES ('sweep', NULL, NULL, 5, 6)",
];

const benchmarkRows = [
  `INSERT INTO unit_test VALUES ('u1', 'ushort1', 'a1', 's1', 'ul1', 'r1', NULL, 'entities_ai', 'gameplay', 'standard', 'private', 'manual', 5, 6, NULL, '{}')`,
  "INSERT INTO provider VALUES ('p1', 'Foundry Hosting', 'https://foundry.example')",
  "INSERT INTO offer VALUES ('o1', 'p1', 'Iron 8', 'game', 'Ryzen 9', 8, 16, 'nvme', 200, 'Falkenstein', 1990, NULL, NULL, NULL, NULL, NULL, 5)",
  `INSERT INTO auto_bench_target VALUES ('bt1', 'a1', 's1', NULL, 'scheduled', 'Nightly', 1, 'standard', 3, '0 4 * * *', 9, NULL, 0, NULL, NULL, 5, 5)`,
  "INSERT INTO runner VALUES ('ru1', 'rack 7', 'rd1', 5, NULL, NULL)",
  `INSERT INTO auto_bench_job VALUES ('bj1', 'bt1', 'a1', 's1', 'schedule', 'running', 'n1', 'ru1', 'agent', 40, 'running_tests', 1, 3, 0, 0, NULL, 5, 6, 7, 8, NULL, 8, NULL)`,
];

const profileRows = [
  `INSERT INTO profile_summary VALUES ('ps1', 's1', 'pl1', '2.4.0', 'lag', 5, 6, 5, '{"owners":[]}'), ('ps2', 's1', 'pl2', NULL, NULL, NULL, 6, 6, '{}')`,
  "INSERT INTO profile_owner VALUES ('s1', 'ShopPlugin', 5, 'ps1', 'lag')",
  "INSERT INTO profile_document VALUES ('pd1', 's1', 'ps1', 6, 812.5, '1.9.0', CAST('{}' AS {{bytes}}))",
  `INSERT INTO memory_report VALUES ('mr1', 's1', 'ml1', 'heap-analysis', 'service-heap-analysis/1', 'quick', 'full', 'memory', 4000000000, 'ShopPlugin', 12.5, NULL, '2.4.0', 5, 6, 5)`,
  "INSERT INTO memory_document VALUES ('mr1', CAST('{}' AS {{bytes}}))",
];

const leavingRows = [
  "INSERT INTO retired_credential VALUES ('rc1', 5)",
  "UPDATE server SET account_id = NULL, kept_until = 9 WHERE id = 's2'",
];
const oauthRows = [
  `INSERT INTO api_token (id, account_id, name, kind, digest, scopes, created_at, expires_at, client_id, client_name, client_host)
    VALUES ('ct1', 'a1', 'A program', 'connector', 'cd1', 'reports:read', 5, 9, 'c1', 'A program', 'program.example')`,
  "INSERT INTO oauth_record VALUES ('AccessToken', 'od1', 'ct1', '{}', 5, 9, NULL)",
];
const peopleRows = [
  "INSERT INTO session VALUES ('se1', 'a1', 'sd1', 5, 6, 9, 'Firefox')",
  `INSERT INTO one_time_code VALUES ('oc1', 'reset_password', 'od1', 'a1', 'ann@example.org', 5, 9, NULL),
    ('set_up', 'set_up', 'set_up', NULL, NULL, 5, 5, 5)`,
];
const activityRows = ["INSERT INTO activity VALUES ('a1', 5, 'ac1', 't1', 'servers.list', 200, NULL, 1)"];

/** One line a migration: an upgrade is tested from each of these, with the rows of all up to it. */
export const versions: readonly Version[] = [
  { id: 1, rows: spineRows },
  { id: 2, rows: monitoringRows },
  { id: 3, rows: benchmarkRows },
  { id: 4, rows: profileRows },
  { id: 5, rows: peopleRows },
  { id: 6, rows: activityRows },
  { id: 7, rows: leavingRows },
  { id: 8, rows: oauthRows },
  { id: 9, rows: ["INSERT INTO pending_address VALUES ('a1', 'sealed', 'digest', 0, 5, 9)"] },
  {
    id: 10,
    rows: [
      "UPDATE server SET collect_profile_until = 9 WHERE id = 's1'",
      "UPDATE auto_bench_target SET deleted_at = NULL",
    ],
  },
  {
    id: 11,
    rows: [
      `INSERT INTO service_log VALUES (5, 'sl1', 5, 1, 'plan_changed', 'The plan was changed.', 'admin', 'a1', 'a2'),
        (6, 'sl2', 9, 3, 'job_failed', 'Job sweep failed.', 'service', NULL, NULL)`,
    ],
  },
  {
    id: 12,
    rows: [
      "INSERT INTO dialogue_session VALUES ('t1', 'ds1', 'warning', 5), ('t2', 'ds1', NULL, 5)",
      "INSERT INTO dialogue_watch VALUES ('t1', 'ds1', 'tickmark://servers/s1', 'm1')",
      "INSERT INTO dialogue_question VALUES ('dq1', 't1', 'dc1', NULL, 9), ('dq2', 't1', 'dc1', '{}', 9)",
    ],
  },
  {
    id: 13,
    rows: [
      "INSERT INTO dispatch VALUES ('d2', 'a1', 'email', 'opened', 'al1', 'ar1', '{}', 4, 9, NULL, 5, 1)",
    ],
  },
  {
    id: 14,
    rows: [
      `INSERT INTO security_log VALUES (5, 'sy1', 6, 3, 'sign_in_refused', 'a1', '192.0.2.1', NULL, 'wrong'),
        (6, 'sy2', 6, 1, 'credential_refused', NULL, '192.0.2.1', 't1', 'unknown')`,
      "UPDATE account SET device_generation = 2 WHERE id = 'a1'",
    ],
  },
  {
    id: 15,
    rows: [
      "INSERT INTO profile_reading VALUES ('pd1', 1, CAST('{}' AS {{bytes}}), CAST('{}' AS {{bytes}}))",
      "INSERT INTO memory_reading VALUES ('mr1', 1, CAST('{}' AS {{bytes}}))",
    ],
  },
  {
    id: 16,
    rows: ["INSERT INTO dialogue_session VALUES ('t2', 'ds2', NULL, 6, 7)"],
  },
  {
    id: 17,
    rows: ["UPDATE server SET sender = 'agent' WHERE id = 's1'"],
  },
  { id: 18, rows: ["INSERT INTO server_software VALUES ('s1', '{}', 5, 5)"] },
  {
    id: 19,
    rows: [
      `INSERT INTO server_health VALUES ('s1', 'degraded', 4, '["tick_spikes"]', '{}', 5, 5, 'healthy')`,
      "INSERT INTO server_baseline VALUES ('s1', 0, '{}', '[]', NULL)",
      "INSERT INTO load_day VALUES ('s1', 0, '[]')",
    ],
  },
  {
    id: 20,
    rows: [
      `UPDATE server_software SET changes = '[["java","-Xmx",5]]' WHERE server_id = 's1'`,
      `UPDATE server SET plugin_version = '1.10.2', reported_software = '{}' WHERE id = 's1'`,
    ],
  },
  { id: 21, rows: [] },
  { id: 22, rows: ["UPDATE server_baseline SET counts = '{\"entity_count\":{}}'"] },
  {
    id: 23,
    rows: [
      "UPDATE notification_setting SET digest_email = 1, digest_week = 5 WHERE account_id = 'a1'",
      "INSERT INTO dispatch VALUES ('d3', 'a1', 'email', 'digest', NULL, NULL, '{}', 0, 5, NULL, 5, 0)",
    ],
  },
  { id: 24, rows: ["INSERT INTO report_standing VALUES ('1', 'standard', 5, '{}')"] },
  { id: 25, rows: ["INSERT INTO monitoring_transition VALUES ('s1', 5, 'stopped')"] },
  { id: 26, rows: ["UPDATE monitoring_order SET position = 1 WHERE server_id = 's1'"] },
  // The segment of one sample at the epoch, without a field.
  { id: 27, rows: ["INSERT INTO sample_block VALUES ('s1', 0, 0, 0, 1, CAST('x' AS {{bytes}}))"] },
  {
    id: 28,
    rows: [
      `UPDATE notification_setting SET webhook = 'w', webhook_secrets = 's', notices_webhook = 1, second_channel = 'webhook' WHERE account_id = 'a1'`,
      "INSERT INTO dispatch VALUES ('d4', 'a1', 'webhook', 'opened', 'al1', 'ar1', '{}', 0, 5, NULL, 5, 0, '{}', 1)",
    ],
  },
  {
    id: 29,
    rows: [
      "INSERT INTO status_page VALUES ('sp1', 'a1', 'blocks', 'Blocks', 1, 5, 6)",
      "INSERT INTO status_page_server VALUES ('sp1', 's1', 0, 'Survival')",
    ],
  },
  {
    id: 30,
    rows: [
      "INSERT INTO recurring_maintenance VALUES ('rm1', 's1', 'Backups', '30 2 * * MON', 'Europe/Berlin', 60, 1, 9, 5, 5, 5)",
    ],
  },
  {
    id: 31,
    rows: [
      "INSERT INTO second_factor VALUES ('a1', 'sealed', 9, 5)",
      "INSERT INTO recovery_code VALUES ('a1', 'd1', NULL), ('a1', 'd2', 5)",
    ],
  },
  { id: 32, rows: ["UPDATE server_baseline SET heap_lows = '{}' WHERE server_id = 's1'"] },
  { id: 33, rows: ["UPDATE report SET visibility = 'public'"] },
  { id: 34, rows: ["INSERT INTO passkey VALUES ('pk1', 'a1', 'Phone', 'c1', 'k1', 0, 'internal', 5, NULL)"] },
  { id: 35, rows: ["UPDATE report SET label = 'Before the move' WHERE id = 'r1'"] },
  { id: 36, rows: ["INSERT INTO profile_link VALUES ('pl1', 'a1', 'ps1', 'd1', 5, 9)"] },
  { id: 37, rows: ["INSERT INTO secret_check VALUES ('service', 'sealed', 0, 0, 5)"] },
  { id: 38, rows: ["INSERT INTO wrong_factor VALUES ('a1', 'other', 3, 5)"] },
  { id: 39, rows: [] },
  { id: 40, rows: [] },
  { id: 41, rows: ["UPDATE session SET proven_at = 5"] },
];
