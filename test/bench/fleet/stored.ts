import { statSync } from "node:fs";
import { openRaw } from "../../store/engine/raw-database.ts";

/** What a database holds of a fleet. */
export interface Stored {
  /** Points of each server by its id, in rows and in blocks. */
  readonly points: ReadonlyMap<string, number>;
  readonly rows: number;
  readonly events: number;
  readonly alerts: number;
  readonly bytes: number;
}

export async function storedIn(url: string): Promise<Stored> {
  const raw = await openRaw(url);
  const one = async (statement: string): Promise<number> =>
    Number((await raw.rows(statement))[0]?.["n"] ?? 0);
  const points = new Map<string, number>();
  const grouped = await raw.rows(`SELECT server_id, count(*) AS n FROM sample GROUP BY server_id
    UNION ALL SELECT server_id, sum(points) AS n FROM sample_block GROUP BY server_id`);
  for (const { server_id: id, n } of grouped)
    points.set(String(id), (points.get(String(id)) ?? 0) + Number(n));
  const stored = {
    points,
    rows: await one("SELECT count(*) AS n FROM sample"),
    // Entries of the service itself were not sent.
    events: await one("SELECT count(*) AS n FROM server_event WHERE source <> 'tickmark'"),
    alerts: await one("SELECT count(*) AS n FROM alert"),
  };
  const bytes =
    raw.dialect === "sqlite"
      ? statSync(url.slice("sqlite:".length)).size
      : await one("SELECT pg_database_size(current_database()) AS n");
  await raw.close();
  return { ...stored, bytes };
}
