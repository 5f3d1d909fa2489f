import type { Migration } from "./migration.ts";

/** Links by which everybody who has one sees the flame graph of a profile. */
export const profileLinks: Migration = {
  id: 36,
  name: "profile-links",
  statements: [
    `CREATE TABLE profile_link (id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id),
      summary_id TEXT NOT NULL REFERENCES profile_summary (id) ON DELETE CASCADE, digest TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    "CREATE INDEX profile_link_of_account ON profile_link (account_id)",
    "CREATE INDEX profile_link_of_summary ON profile_link (summary_id)",
    "CREATE INDEX profile_link_oldest ON profile_link (expires_at)",
  ],
};
