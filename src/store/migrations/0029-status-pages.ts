import type { Migration } from "./migration.ts";

/** Public status pages, and the servers on them. */
export const statusPages: Migration = {
  id: 29,
  name: "status-pages",
  statements: [
    `CREATE TABLE status_page (id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id),
      address TEXT NOT NULL UNIQUE, title TEXT NOT NULL, shows_players SMALLINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    "CREATE INDEX status_page_of_account ON status_page (account_id)",
    `CREATE TABLE status_page_server (page_id TEXT NOT NULL REFERENCES status_page (id),
      server_id TEXT NOT NULL REFERENCES server (id), position INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (page_id, server_id))`,
    "CREATE INDEX status_page_of_server ON status_page_server (server_id)",
  ],
};
