import type { Migration } from "./migration.ts";

/** What the connector's authorization server keeps, and which program a connector's grant was given to. */
export const oauth: Migration = {
  id: 8,
  name: "oauth",
  statements: [
    "ALTER TABLE api_token ADD COLUMN client_id TEXT",
    "ALTER TABLE api_token ADD COLUMN client_name TEXT",
    "ALTER TABLE api_token ADD COLUMN client_host TEXT",
    `CREATE TABLE oauth_record (
      kind TEXT NOT NULL, digest TEXT NOT NULL, token_id TEXT REFERENCES api_token (id) ON DELETE CASCADE,
      payload TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, consumed_at BIGINT,
      PRIMARY KEY (kind, digest)) {{clustered}}`,
    "CREATE INDEX oauth_record_of_token ON oauth_record (token_id, kind)",
    "CREATE INDEX oauth_record_by_expiry ON oauth_record (kind, expires_at)",
    "CREATE INDEX oauth_record_oldest ON oauth_record (expires_at)",
  ],
};
