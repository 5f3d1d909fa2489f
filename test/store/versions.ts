/** The rows an installation of each version may hold: SQL that both dialects understand. */
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

/** One line a migration: an upgrade is tested from each of these, with the rows of all up to it. */
export const versions: readonly Version[] = [{ id: 1, rows: spineRows }];
