import type { Database } from "../../../src/store/engine/database.ts";
import { readPoints } from "../../../src/store/metric/series-points.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { bucketMs } from "../../../src/core/metric/chunk.ts";
import { seriesFields } from "../../../src/core/metric/fields.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, noon, sampleAt, times } from "../engine/rows.ts";
import { seriesRows } from "./series-rows.ts";

eachDatabase((databases) => {
  let db: Database;
  let rows: ReturnType<typeof seriesRows>;
  beforeEach(async () => {
    db = await databases.open();
    rows = seriesRows(db);
  });

  describe("points", () => {
    it("[OUR-MET-10] come in order of time, from inclusive, to exclusive, with the fields in the order asked for", async () => {
      const server = await rows.newOne();
      const other = await rows.newOne();
      const at = (index: number) => noon - 10 * minute + index * 30_000;
      await rows.late(other, [sampleAt(at(1))]);
      await rows.late(
        server,
        times(10).map((index) =>
          sampleAt(at(index), { tps: index, mspt: index === 3 ? null : index / 8, ping_ms: 1 }),
        ),
      );
      const points = await rows.pointsOf(server, ["mspt", "tps"], at(2), at(5));
      expect(points).toEqual([
        { at: at(2), mspt: 0.25, tps: 2 },
        { at: at(3), mspt: Number.NaN, tps: 3 },
        { at: at(4), mspt: 0.5, tps: 4 },
      ]);
      expect(await rows.pointsOf(server, ["tps"], at(20), noon + day)).toEqual([]);
    });

    it("[OUR-MET-10] are each read once, however many chunks they take", async () => {
      const server = await rows.newOne();
      const at = (index: number) => noon - day + index * 1000 + (index % 7);
      for (const part of times(9))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(at(part * 1000 + index))),
        );
      // More within five minutes than a chunk holds: the chunk ends among them.
      await rows.late(
        server,
        times(1000).map((index) => sampleAt(noon - 2 * bucketMs + index)),
      );
      for (const fields of [["tps"], seriesFields.slice(0, 12)] as const) {
        let chunks = 0;
        const seen: number[] = [];
        for await (const chunk of readPoints(db, server, noon - 2 * day, noon, fields)) {
          chunks += 1;
          seen.push(...chunk.times);
        }
        expect(chunks).toBeGreaterThan(1);
        expect(seen.length).toBe(10_000);
        expect(new Set(seen).size).toBe(10_000);
        expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
      }
    });

    it("[OUR-MET-10] are found for more sets of fields than have a statement of their own", async () => {
      const server = await rows.newOne();
      await rows.late(server, [sampleAt(noon - minute, { tps: 19, ping_ms: 7, rss_mb: 4096 })]);
      const pairs = seriesFields.flatMap((one) =>
        seriesFields.filter((two) => two > one).map((two) => [one, two] as const),
      );
      expect(pairs.length).toBeGreaterThan(200);
      for (const fields of pairs) {
        const [point] = await rows.pointsOf(server, fields, noon - 2 * minute);
        expect(point?.["tps"] ?? 19).toBe(19);
        expect(point?.["ping_ms"] ?? 7).toBe(7);
      }
      expect(await rows.pointsOf(server, ["rss_mb", "ping_ms"], noon - 2 * minute)).toEqual([
        { at: noon - minute, rss_mb: 4096, ping_ms: 7 },
      ]);
    });

    it("[OUR-MET-10] let others have the thread while they are read", async () => {
      const server = await rows.newOne();
      for (const part of times(10))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(noon - day + (part * 1000 + index) * 1000)),
        );
      let turns = 0;
      let reading = true;
      const count = (): void => {
        turns += 1;
        if (reading) setImmediate(count);
      };
      setImmediate(count);
      let chunks = 0;
      for await (const _ of readPoints(db, server, noon - 2 * day, noon, ["tps", "mspt"])) {
        chunks += 1;
        // As long as a reader may keep the thread, and a little longer.
        for (const end = performance.now() + 4; performance.now() < end;);
      }
      reading = false;
      expect(chunks).toBeGreaterThan(1);
      expect(turns).toBeGreaterThanOrEqual(chunks);
    });
  });
});
