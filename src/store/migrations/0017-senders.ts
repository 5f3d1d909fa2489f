import type { Migration } from "./migration.ts";

/** What speaks for a server, a plugin or the agent: until now this stood in its link code alone, which is deleted after a month. */
export const senders: Migration = {
  id: 17,
  name: "senders",
  statements: [
    "ALTER TABLE server ADD COLUMN sender TEXT NOT NULL DEFAULT 'plugin'",
    `UPDATE server SET sender = 'agent' WHERE EXISTS (
      SELECT 1 FROM link_code AS c WHERE c.server_id = server.id AND c.facts LIKE '%"plugin_version":"tickmark-agent%'
    )`,
  ],
};
