import { readPoints } from "../../../src/store/metric/series-points.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import type { PlanName } from "../../../src/core/access/plan.ts";
import type { SeriesChunk } from "../../../src/core/metric/chunk.ts";
import { seriesFields, type SeriesField } from "../../../src/core/metric/sample.ts";
import type { SampleWrite } from "../../../src/core/server/records.ts";
import { all, run, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { day, newAccount, newServer, noon } from "../engine/rows.ts";

const samplesOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("sample").select("sampled_at as at").where("server_id", "=", $.server).orderBy("sampled_at"),
);
const rollupsOf = query<{ server: string }>()((db, $) =>
  db.selectFrom("sample_rollup").select("bucket_at").where("server_id", "=", $.server).orderBy("bucket_at"),
);
const blocksOf = query<{ server: string }>()((db, $) =>
  db
    .selectFrom("sample_block")
    .select(["day", "first_at", "last_at", "points"])
    .where("server_id", "=", $.server)
    .orderBy("day"),
);
const insertRollup = query<{ server: string; at: number; tps: number }>()((db, $) =>
  db.insertInto("sample_rollup").values({
    server_id: $.server,
    bucket_at: $.at,
    tps_min: $.tps,
    tps_max: $.tps,
    tps_sum: $.tps,
    tps_count: 1,
    ...(Object.fromEntries(
      seriesFields.filter((field) => field !== "tps").map((field) => [`${field}_count`, 0]),
    ) as Record<`${Exclude<SeriesField, "tps">}_count`, number>),
  }),
);

/** Long past at noon, and the start of a UTC day. */
export const old = noon - 31.5 * day;

interface ReadPoint {
  readonly at: number;
  readonly rolled: boolean;
  readonly [field: string]: unknown;
}

/** Points as they were read, field by field `[min, max, sum, count]`. */
async function read(
  chunks: AsyncIterable<SeriesChunk>,
  fields: readonly SeriesField[],
): Promise<ReadPoint[]> {
  const points: ReadPoint[] = [];
  for await (const { times: at, rolled, columns } of chunks) {
    for (const [index, time] of at.entries()) {
      const known = fields.map((field, place) => {
        const { min, max, sum, count } = columns[place] ?? {};
        return [field, [min?.[index], max?.[index], sum?.[index], count?.[index]]];
      });
      points.push({ at: time, rolled, ...Object.fromEntries(known) });
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
  addRollup: (server: string, at: number, tps: number) =>
    db.write(() => run(insertRollup, { server, at, tps })),
  pointsOf: (server: string, fields: readonly SeriesField[] = ["tps"], from = old - day, to = noon) =>
    read(readPoints(db, server, from, to, fields), fields),
  kept: async (server: string) => ({
    samples: (await db.read(() => all(samplesOf, { server }))).map(({ at }) => at),
    blocks: await db.read(() => all(blocksOf, { server })),
    rollups: (await db.read(() => all(rollupsOf, { server }))).length,
  }),
});
