import type Sqlite from "better-sqlite3";
import { ReportedSample } from "../../src/core/metric/reported-sample.ts";
import { storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { sealSamples } from "../../src/services/metric/seal-samples.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { dice } from "../support/dice.ts";

const [minute, hour, day, everyMs] = [60_000, 3_600_000, 86_400_000, 30_000];
/** Whole days before today that a server has in blocks: the longest that a rule looks back. */
const days = 7;

const random = dice(1);
const around = (middle: number, by: number): number => Math.round(10 * (middle + by * random())) / 10;

/** A server with a dozen players on which nothing is late, and whose heap does not grow. */
const sampleAt = (at: number) => ({
  sampledAt: at,
  reported: ReportedSample.parse({
    sampled_at: new Date(at).toISOString(),
    tps: 20,
    mspt: around(14, 3),
    mspt_p95: around(22, 6),
    worst_tick_ms: around(40, 30),
    player_count: Math.round(around(11, 2)),
    cpu_usage: around(28, 4),
    cpu_system: around(38, 4),
    ram_used_mb: Math.round(around(4000, 3000)),
    ram_max_mb: 10_240,
    heap_after_gc_mb: Math.round(around(3200, 600)),
    rss_mb: Math.round(around(8900, 100)),
    gc_stw_ms: Math.round(around(15, 10)),
    entity_count: Math.round(around(1900, 200)),
    loaded_chunks: Math.round(around(3900, 200)),
  }),
});

/**
 * Stores the history of one server, seals it as the job does, and gives a copy of its blocks to each of these servers:
 * some 270 kB each. Samples whose window is not sealed yet are deleted.
 */
export async function giveHistory(
  db: Database,
  raw: Sqlite.Database,
  template: string,
  { ids, now }: { readonly ids: readonly string[]; readonly now: number },
): Promise<void> {
  const start = now - (now % day) - days * day;
  for (let from = start; from < now; from += 1000 * everyMs) {
    const times = Array.from({ length: 1000 }, (_, index) => from + index * everyMs);
    await db.write(storeLateSamples, template, times.filter((at) => at < now).map(sampleAt), now);
  }
  for await (const moved of sealSamples(db, now)) if (moved === 0) throw new Error("Nothing was sealed.");
  raw
    .prepare(`
      INSERT INTO sample_block (server_id, day, first_at, last_at, points, data)
      SELECT s.value, b.day, b.first_at, b.last_at, b.points, b.data FROM json_each(?) AS s, sample_block AS b
      WHERE b.server_id = ? AND s.value <> b.server_id ORDER BY s.value, b.day`)
    .run(JSON.stringify(ids), template);
  raw.exec("DELETE FROM sample");
}

/** Of two neighbours one was restarted within the last two days, and the other one has run for 2 to 30 days. */
export function startAtDifferentTimes(raw: Sqlite.Database, now: number): void {
  raw.exec(`
    UPDATE server SET boot_timestamp = ${now} - (CASE place % 2
      WHEN 0 THEN ${hour} + place * 7919 % 2800 * ${minute}
      ELSE ${2 * day} + place * 7919 % ${28 * 24} * ${hour} END)
    FROM (SELECT id AS of, row_number() OVER (ORDER BY installation_id) AS place FROM server) WHERE id = of;
  `);
}
