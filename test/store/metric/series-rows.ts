import { readPoints } from "../../../src/store/metric/series-points.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import type { PlanName } from "../../../src/core/access/plan.ts";
import type { SeriesChunk } from "../../../src/core/metric/chunk.ts";
import type { SeriesField } from "../../../src/core/metric/fields.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { day, newAccount, newServer, noon } from "../engine/rows.ts";

const samplesOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("sample").select("sampled_at as at").where("server_id", "=", $.server).orderBy("sampled_at"),
);
const blocksOf = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("sample_block")
    .select(["day", "first_at", "last_at", "points"])
    .where("server_id", "=", $.server)
    .orderBy("day"),
);
/** Long past at noon, and the start of a UTC day. */
export const old = noon - 31.5 * day;

interface ReadPoint {
  readonly at: number;
  readonly [field: string]: unknown;
}

/** Points as they were read, with the value of each field. */
async function read(
  chunks: AsyncIterable<SeriesChunk>,
  fields: readonly SeriesField[],
): Promise<ReadPoint[]> {
  const points: ReadPoint[] = [];
  for await (const { times: at, columns } of chunks) {
    for (const [index, time] of at.entries()) {
      const known = fields.map((field, place) => [field, columns[place]?.values()[index]]);
      points.push({ at: time, ...Object.fromEntries(known) });
    }
  }
  return points;
}

export const drain = async (steps: AsyncIterable<number>): Promise<number> => {
  let total = 0;
  for await (const count of steps) total += count;
  return total;
};

/** What the tests of series do with one database. */
export const seriesRows = (db: Database) => ({
  newOne: async (plan: PlanName = "enterprise"): Promise<string> =>
    (await newServer(db, await newAccount(db, { plan }))).server.id,
  late: (server: string, samples: readonly SampleWrite[]) =>
    db.writeFor(server, storeLateSamples, server, samples, noon),
  pointsOf: (server: string, fields: readonly SeriesField[] = ["tps"], from = old - day, to = noon) =>
    read(readPoints(db, server, from, to, fields), fields),
  kept: async (server: string) => ({
    samples: (await db.read(() => all(samplesOf, { server }))).map(({ at }) => at),
    blocks: await db.read(() => all(blocksOf, { server })),
  }),
});
