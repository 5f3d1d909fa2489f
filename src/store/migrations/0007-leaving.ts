import type { Migration } from "./migration.ts";

/**
 * Servers that left their account. `account_id` is whom a server is linked to and null once it is unlinked, so that
 * what asks for an account's servers finds none that left; `linked_by` is who linked it last, and may bring it back
 * until `kept_until`.
 */
export const leaving: Migration = {
  id: 7,
  name: "leaving",
  statements: [
    "ALTER TABLE server RENAME COLUMN account_id TO linked_by",
    "ALTER TABLE server ADD COLUMN account_id TEXT REFERENCES account (id)",
    "ALTER TABLE server ADD COLUMN kept_until BIGINT",
    "DROP INDEX server_of_account",
    "CREATE INDEX server_of_account ON server (account_id, monitoring_enabled, linked_at, id)",
    "CREATE INDEX server_linked_by ON server (linked_by)",
    "CREATE INDEX server_kept_until ON server (kept_until) WHERE kept_until IS NOT NULL",

    // What is left of a deleted server's credential, so that its plugin is answered that it was revoked.
    "CREATE TABLE retired_credential (digest TEXT PRIMARY KEY, revoked_at BIGINT NOT NULL)",
    "CREATE INDEX retired_credential_oldest ON retired_credential (revoked_at)",

    // What is deleted with its server or account is found by an index.
    "CREATE INDEX link_code_of_server ON link_code (server_id) WHERE server_id IS NOT NULL",
    "CREATE INDEX alert_of_server ON alert (server_id)",
    "CREATE INDEX inbox_of_server ON inbox (server_id) WHERE server_id IS NOT NULL",
    "CREATE INDEX auto_bench_target_of_server ON auto_bench_target (server_id)",
    "CREATE INDEX link_code_used_by ON link_code (used_by) WHERE used_by IS NOT NULL",

    "UPDATE server SET account_id = linked_by",
  ],
};
