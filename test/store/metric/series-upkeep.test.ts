import type { Database } from "../../../src/store/engine/database.ts";
import { rollUp } from "../../../src/store/metric/series-rollup.ts";
import { prune } from "../../../src/store/metric/series-prune.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultPlans, type PlanName } from "../../../src/core/access/plan.ts";
import { rollupMs } from "../../../src/core/metric/chunk.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, noon, sampleAt, times } from "../engine/rows.ts";
import { boundary, drain, old, seriesRows } from "./series-rows.ts";

eachDatabase((databases) => {
  let db: Database;
  let rows: ReturnType<typeof seriesRows>;
  beforeEach(async () => {
    db = await databases.open();
    rows = seriesRows(db);
  });

  describe("rolling up", () => {
    it("[OUR-MET-11] makes a row of every five minutes older than 30 days, exact in least, largest, sum and count", async () => {
      const server = await rows.newOne();
      const values = [20, 18.5, null, 19.25];
      await rows.late(
        server,
        values.map((tps, index) => sampleAt(old + index * minute, { tps, mspt: null, player_count: index })),
      );
      await rows.late(server, [
        sampleAt(old + rollupMs),
        sampleAt(boundary - 1),
        sampleAt(boundary),
        sampleAt(noon - day),
      ]);
      expect(await drain(rollUp(db, noon))).toBe(6);
      const { samples, rollups } = await rows.kept(server);
      expect(samples).toEqual([boundary, noon - day]);
      expect(rollups.map(({ bucket_at }) => bucket_at)).toEqual([old, old + rollupMs, boundary - rollupMs]);
      expect(rollups[0]).toMatchObject({
        tps_min: 18.5,
        tps_max: 20,
        tps_sum: 57.75,
        tps_count: 3,
        mspt_min: null,
        mspt_max: null,
        mspt_sum: null,
        mspt_count: 0,
        player_count_min: 0,
        player_count_max: 3,
        player_count_sum: 6,
        player_count_count: 4,
      });
      const [first] = await rows.pointsOf(server, ["tps", "mspt"]);
      expect(first).toEqual({
        at: old,
        rolled: true,
        tps: [18.5, 20, 57.75, 3],
        mspt: [Number.NaN, Number.NaN, Number.NaN, 0],
      });
    });

    it("[OUR-MET-11] changes nothing when it is run again", async () => {
      const server = await rows.newOne();
      await rows.late(
        server,
        times(20).map((index) => sampleAt(old + index * 30_000, { tps: index })),
      );
      expect(await drain(rollUp(db, noon))).toBe(20);
      const before = await rows.kept(server);
      expect(await drain(rollUp(db, noon))).toBe(0);
      expect(await rows.kept(server)).toEqual(before);
    });

    it("[OUR-MET-12] adds late samples to the row that is there, unknown parts too", async () => {
      const server = await rows.newOne();
      await rows.late(server, [
        sampleAt(old, { tps: 15, mspt: null, ping_ms: 3 }),
        sampleAt(old + 1, { tps: 16 }),
      ]);
      await drain(rollUp(db, noon));
      await rows.late(server, [
        sampleAt(old + 2, { tps: 20, mspt: 44 }),
        sampleAt(old + 3, { tps: 12, ping_ms: null }),
        sampleAt(old + 4, { tps: null }),
      ]);
      expect(await drain(rollUp(db, noon))).toBe(3);
      const { samples, rollups } = await rows.kept(server);
      expect(samples).toEqual([]);
      expect(rollups).toHaveLength(1);
      expect(rollups[0]).toMatchObject({ tps_min: 12, tps_max: 20, tps_sum: 63, tps_count: 4 });
      expect(rollups[0]).toMatchObject({ mspt_min: 44, mspt_max: 44, mspt_sum: 44, mspt_count: 1 });
      expect(rollups[0]).toMatchObject({ ping_ms_min: 3, ping_ms_max: 3, ping_ms_sum: 3, ping_ms_count: 1 });
    });

    it("[OUR-MET-12] left half-way and taken up again, or run twice at once, it counts every sample once", async () => {
      const server = await rows.newOne();
      const values = times(2500).map((index) => index % 97);
      for (const part of times(3))
        await rows.late(
          server,
          values
            .slice(part * 1000, part * 1000 + 1000)
            .map((tps, index) => sampleAt(old + (part * 1000 + index) * 7000, { mspt: tps })),
        );
      const sums = async () => {
        const points = await rows.pointsOf(server, ["mspt"]);
        const all = points.map(({ mspt }) => mspt as [number, number, number, number]);
        return [
          all.reduce((sum, [, , each]) => sum + each, 0),
          all.reduce((sum, [, , , each]) => sum + each, 0),
        ];
      };
      const expected = [values.reduce((sum, value) => sum + value, 0), values.length];
      expect(await sums()).toEqual(expected);
      for await (const moved of rollUp(db, noon)) {
        expect(moved).toBeLessThanOrEqual(400);
        break;
      }
      expect((await rows.kept(server)).samples.length).toBe(2100);
      expect(await sums()).toEqual(expected);
      const moved = await Promise.all([drain(rollUp(db, noon)), drain(rollUp(db, noon))]);
      expect(moved[0] + moved[1]).toBe(2100);
      expect((await rows.kept(server)).samples).toEqual([]);
      expect(await sums()).toEqual(expected);
    });

    it("[OUR-MET-10] goes on while a series is read, and every sample is in it once", async () => {
      const server = await rows.newOne();
      const count = 9000;
      for (const part of times(9))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(old - 2 * day + (part * 1000 + index) * 10_000)),
        );
      const rolling = drain(rollUp(db, noon));
      for (let question = 0; question < 4; question += 1) {
        const points = await rows.pointsOf(server, ["tps"], old - 3 * day);
        const counted = points.reduce((sum, { tps }) => sum + ((tps as number[])[3] ?? 0), 0);
        expect(counted).toBe(count);
      }
      expect(await rolling).toBe(count);
    });
  });

  describe("pruning", () => {
    it("[OUR-MET-13] deletes what lies 30 days behind the owner's viewing window, of both kinds", async () => {
      const windows = { free: 0, pro: 30, hosting: 90, enterprise: 365 } as const;
      const servers = new Map<PlanName, string>();
      for (const plan of Object.keys(windows) as PlanName[]) {
        const server = await rows.newOne(plan);
        servers.set(plan, server);
        const edge = noon - (windows[plan] + 30) * day;
        await rows.late(server, [sampleAt(edge - 1), sampleAt(edge), sampleAt(noon - 1)]);
        for (const at of [edge - rollupMs, edge]) await rows.addRollup(server, at, 1);
      }
      await drain(prune(db, noon, defaultPlans));
      for (const [plan, server] of servers) {
        const edge = noon - (windows[plan] + 30) * day;
        const { samples, rollups } = await rows.kept(server);
        expect(samples, plan).toEqual([edge, noon - 1]);
        expect(
          rollups.map(({ bucket_at }) => bucket_at),
          plan,
        ).toEqual([edge]);
      }
      expect(await drain(prune(db, noon, defaultPlans))).toBe(0);
    });

    it("[OUR-MET-13] goes by the operator's limits, in steps that may be left", async () => {
      const server = await rows.newOne("pro");
      for (const part of times(3))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(noon - 20 * day + (part * 1000 + index) * 1000)),
        );
      expect(await drain(prune(db, noon, defaultPlans))).toBe(0);
      const tight = { ...defaultPlans, pro: { ...defaultPlans.pro, retention_days: 1 } };
      expect(await drain(prune(db, noon, tight))).toBe(0);
      const later = noon + 15 * day;
      for await (const deleted of prune(db, later, tight)) {
        expect(deleted).toBeLessThanOrEqual(1000);
        break;
      }
      expect((await rows.kept(server)).samples.length).toBe(2000);
      await drain(prune(db, later, tight));
      expect((await rows.kept(server)).samples).toEqual([]);
    });
  });
});
