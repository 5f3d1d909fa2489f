import type { ClientBase } from "pg";

const jobKey = "hashtext('tickmark job'), hashtext($1)";

/**
 * Works under a lock of the session: whatever becomes of this process, the server lets go of it with the connection. `lost`
 * is called where the lock was not there any more at the end: the connection is not the same.
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
