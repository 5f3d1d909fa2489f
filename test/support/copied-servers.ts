import { sql } from "kysely";
import { run, type Database } from "../../src/store/engine/database.ts";
import { query } from "../../src/store/engine/query.ts";

const columns = `sender, name, is_public, show_address_on_report, notify_on_report, last_heartbeat, last_tick_age_ms,
  boot_timestamp, sampled_at, sample_received_at, sample, player_count, ticks_late`;

/** Statements that make copies of an account's only server with its sample: until it has `size`, the newest `monitored` ones monitored. */
export const copies = (account: string, server: string, size: number, monitored: number): string[] => {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size - 1})`;
  return [
    `INSERT INTO server (id, account_id, linked_by, installation_id, monitoring_enabled, linked_at, created_at, ${columns})
      ${numbers} SELECT '${server}-' || n.i, account_id, linked_by, '${server}-i' || n.i,
      CASE WHEN n.i > ${size - monitored} THEN 1 ELSE 0 END, linked_at + n.i, created_at + n.i, ${columns}
      FROM n CROSS JOIN server AS s WHERE s.id = '${server}'`,
    `INSERT INTO monitoring_order (server_id, account_id, position)
      ${numbers} SELECT '${server}-' || n.i, '${account}', n.i + 1 - ${size - monitored} FROM n WHERE n.i > ${size - monitored}`,
  ];
};

const statement = (text: string) =>
  query<Record<string, never>>()((db) => ({ compile: () => sql.raw(text).compile(db) }));

/** Makes these copies, by two statements where each link takes a transaction; answers the ids of all, the oldest first. */
export async function copyServers(
  db: Database,
  { account, server, size, monitored }: { account: string; server: string; size: number; monitored: number },
): Promise<string[]> {
  for (const copying of copies(account, server, size, monitored).map(statement))
    await db.write(() => run(copying, {}));
  return [server, ...Array.from({ length: size - 1 }, (_, index) => `${server}-${index + 1}`)];
}
