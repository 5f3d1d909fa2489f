import type { ClientBase } from "pg";

const jobKey = "hashtext('tickmark job'), hashtext($1)";

/**
 * Runs `work` under a session lock, which PostgreSQL releases at the latest when the connection ends; null if
 * another session holds it. `lost` is called if the lock was gone at the end: a pooler had switched the
 * connection.
 */
export async function alone<T>(
  client: ClientBase,
  name: string,
  work: () => Promise<T>,
  lost: () => void,
): Promise<T | null> {
  const { rows } = await client.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${jobKey}) AS held`, [
    name,
  ]);
  if (rows[0]?.held !== true) return null;
  try {
    return await work();
  } finally {
    const { rows: ended } = await client.query<{ held: boolean }>(
      `SELECT pg_advisory_unlock(${jobKey}) AS held`,
      [name],
    );
    if (ended[0]?.held !== true) lost();
  }
}
