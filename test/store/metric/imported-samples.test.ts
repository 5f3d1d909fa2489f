import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultPlans, planIncludes, type PlanName } from "../../../src/core/access/plan.ts";
import type { ImportedSample } from "../../../src/core/metric/imported.ts";
import { sampleOf } from "../../../src/core/metric/reported-sample.ts";
import { importSamples } from "../../../src/services/metric/import-samples.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { selectSampleMarks } from "../../../src/store/metric/imported-samples.ts";
import { readPoints } from "../../../src/store/metric/series-points.ts";
import { lockServer } from "../../../src/store/server/locks.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, noon, sampleAt, times } from "../engine/rows.ts";
import { drain, seriesRows } from "./series-rows.ts";

/** A minute of a file that ends at this time. */
const windowAt = (sampledAt: number, lengthMs = minute, tps = 12): ImportedSample => ({
  startedAt: sampledAt - lengthMs,
  sampledAt,
  sample: sampleOf(sampleAt(sampledAt, { tps, player_count: 3 }).reported),
});

eachDatabase((databases) => {
  let db: Database;
  let rows: ReturnType<typeof seriesRows>;
  beforeAll(async () => {
    db = await databases.open();
    rows = seriesRows(db);
  });

  const imports = (server: string, samples: readonly ImportedSample[], now = noon): Promise<number> =>
    db.write(function* () {
      yield* lockServer(server);
      return yield* importSamples(server, { source: "spark", samples }, defaultPlans, now);
    });
  const stored = async (server: string): Promise<string[]> => {
    const marks = await db.read(selectSampleMarks, server, noon - 400 * day, noon + day);
    return marks
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, isImported }) => `${(at - noon) / 1000}${isImported ? " imported" : ""}`);
  };
  const own = (server: string, ...at: number[]) =>
    rows.late(
      server,
      at.map((time) => sampleAt(time)),
    );

  describe("imported samples", () => {
    it("[OUR-PRO-69] fill a gap of the server's own ones, and nothing within 90 s of one", async () => {
      const server = await rows.newOne();
      await own(server, noon - 20 * minute, noon - 10 * minute);
      const windows = times(12).map((index) => windowAt(noon - (21 - index) * minute));
      expect(await imports(server, windows)).toBe(7);
      expect(await stored(server)).toEqual([
        "-1200",
        ...times(7).map((index) => `${-1080 + 60 * index} imported`),
        "-600",
      ]);
    });

    it("[OUR-PRO-69] of a minute that another file has are left out", async () => {
      const server = await rows.newOne();
      const end = noon - 5 * minute;
      expect(await imports(server, [windowAt(end - minute), windowAt(end - 25_000, 35_000)])).toBe(2);
      // The next file has this minute whole, and the one after it.
      const next = [windowAt(end - minute), windowAt(end), windowAt(end + minute)];
      expect(await imports(server, next)).toBe(1);
      expect(await stored(server)).toEqual(["-360 imported", "-325 imported", "-240 imported"]);
    });

    it("[OUR-PRO-70] give way to own samples that come later, as rows and in blocks", async () => {
      const server = await rows.newOne();
      const start = noon - 10 * 60 * minute;
      const windows = times(8).map((index) => windowAt(start + index * minute));
      expect(await imports(server, windows)).toBe(8);
      await own(server, start);
      expect(await stored(server)).toEqual([
        "-36000",
        ...times(6).map((index) => `${-36_000 + 60 * (index + 2)} imported`),
      ]);
      await drain(sealSamples(db, noon));
      expect((await rows.kept(server)).samples).toEqual([]);
      await own(server, start + 7 * minute);
      expect(await stored(server)).toEqual([
        "-36000",
        ...times(4).map((index) => `${-36_000 + 60 * (index + 2)} imported`),
        "-35580",
      ]);
      await drain(sealSamples(db, noon));
      await own(server, ...times(8).map((index) => start + index * minute));
      expect(await stored(server)).toEqual(times(8).map((index) => `${-36_000 + 60 * index}`));
      // A block of which nothing is left is gone.
      const other = await rows.newOne();
      await imports(other, [windowAt(start)]);
      await drain(sealSamples(db, noon));
      await own(other, start + 1000);
      expect(await rows.kept(other)).toEqual({ samples: [start + 1000], blocks: [] });
    });

    it("[OUR-PRO-70] give way to a heartbeat after a silence, also one of the same millisecond", async () => {
      const server = await rows.newOne();
      const rest = { bootTimestamp: null, lastTickAgeMs: null, announcement: null, limits: defaultPlans.pro };
      await imports(server, [windowAt(noon - 4 * minute), windowAt(noon)]);
      const sample = sampleAt(noon, { tps: 20 });
      await db.writeFor(server, recordHeartbeat, { serverId: server, receivedAt: noon, sample, ...rest });
      expect(await stored(server)).toEqual(["-240 imported", "0"]);
      expect(await rows.pointsOf(server, ["tps"], noon - minute, noon + 1)).toEqual([{ at: noon, tps: 20 }]);
    });

    it("[OUR-PRO-71] are kept as long as the plan shows their time, and of monitored servers only", async () => {
      const days = defaultPlans.pro.retention_days;
      const server = await rows.newOne("pro");
      const windows = [noon - days * day - 1, noon - days * day, noon + 6 * minute].map((at) => windowAt(at));
      expect(await imports(server, windows)).toBe(1);
      const plans = (Object.keys(defaultPlans) as PlanName[]).filter(
        (plan) => !planIncludes(defaultPlans[plan], "monitoring"),
      );
      for (const plan of plans) expect(await imports(await rows.newOne(plan), [windowAt(noon)])).toBe(0);
      expect(plans).not.toEqual([]);
    });

    it("[OUR-PRO-71] are marked in a series, as rows and in blocks", async () => {
      const server = await rows.newOne();
      const start = noon - 10 * 60 * minute;
      await own(server, start);
      await imports(server, [windowAt(start + 3 * minute), windowAt(start + 4 * minute)]);
      const marked = async (): Promise<string[]> => {
        const found: string[] = [];
        for await (const { times: at, imported } of readPoints(db, server, noon - day, noon, ["tps"]))
          for (const [index, time] of at.entries())
            found.push(`${(time - start) / minute} ${imported?.values()[index] === 1}`);
        return found;
      };
      expect(await marked()).toEqual(["0 false", "3 true", "4 true"]);
      await drain(sealSamples(db, noon));
      expect((await rows.kept(server)).samples).toEqual([]);
      expect(await marked()).toEqual(["0 false", "3 true", "4 true"]);
    });
  });

  it("[OUR-PRO-70] in whatever order own samples, a file and sealing come, the same samples are there", async () => {
    const start = noon - 8 * 60 * minute;
    const windows = times(20).map((index) => windowAt(start + index * minute));
    const step = fc.oneof(
      fc.record({ own: fc.uniqueArray(fc.integer({ min: 0, max: 1200 }), { maxLength: 4 }) }),
      fc.constant({ own: [] }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.nat(6), async (steps, importedAt) => {
        const all = steps.flatMap((one) => one.own).map((seconds) => start + seconds * 1000);
        const ordered = await rows.newOne();
        await own(ordered, ...all);
        await imports(ordered, windows);
        const mixed = await rows.newOne();
        for (const [index, one] of steps.entries()) {
          if (index === importedAt) await imports(mixed, windows);
          await own(mixed, ...one.own.map((seconds) => start + seconds * 1000));
          if (one.own.length === 0) await drain(sealSamples(db, noon));
        }
        if (importedAt >= steps.length) await imports(mixed, windows);
        expect(await stored(mixed)).toEqual(await stored(ordered));
      }),
      { numRuns: 8 },
    );
  });
});
