import type { Database } from "../../../src/store/engine/database.ts";
import { blockSegments } from "../../../src/core/metric/block/segment.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import { blockOf } from "../../../src/store/metric/blocks.ts";
import { detailsCodec } from "../../../src/store/metric/details.ts";
import { readRuleSamples } from "../../../src/store/metric/rule-samples.ts";
import { prune } from "../../../src/store/metric/series-prune.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultPlans, type PlanName } from "../../../src/core/access/plan.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, noon, sampleAt, times } from "../engine/rows.ts";
import { drain, old, seriesRows } from "./series-rows.ts";

eachDatabase((databases) => {
  let db: Database;
  let rows: ReturnType<typeof seriesRows>;
  beforeEach(async () => {
    db = await databases.open();
    rows = seriesRows(db);
  });

  describe("sealing", () => {
    const hour = 60 * minute;
    const summed = async (server: string, from = old - 3 * day) => {
      const points = await rows.pointsOf(server, ["tps"], from);
      return [points.length, points.reduce((sum, { tps }) => sum + Number(tps), 0)];
    };

    it("[OUR-MET-11] moves samples whose two hours ended an hour ago into one block for each UTC day, and gives them back as they were", async () => {
      const server = await rows.newOne();
      const other = await rows.newOne();
      const ends = (at: number) => [at - 1, at].map((each) => sampleAt(each, { tps: 17.25, mspt: null }));
      const sealedTo = noon - 2 * hour;
      await rows.late(other, ends(old));
      await rows.late(server, [
        sampleAt(old, { tps: 0.1 + 0.2, ping_ms: 3 }),
        sampleAt(old + 1, { tps: null, rss_mb: 4096 }),
        ...ends(old + day),
        ...ends(sealedTo),
        sampleAt(noon - 1),
      ]);
      const fields = ["tps", "mspt", "ping_ms", "rss_mb", "cpu_usage"] as const;
      const before = await rows.pointsOf(server, fields);
      expect(await drain(sealSamples(db, noon))).toBe(7);
      expect(await rows.kept(server)).toEqual({
        samples: [sealedTo, noon - 1],
        blocks: [
          { day: old, first_at: old, last_at: old + day - 1, points: 3 },
          { day: old + day, first_at: old + day, last_at: old + day, points: 1 },
          { day: noon - day / 2, first_at: sealedTo - 1, last_at: sealedTo - 1, points: 1 },
        ],
      });
      expect(await rows.pointsOf(server, fields)).toEqual(before);
      expect(await drain(sealSamples(db, noon))).toBe(0);
    });

    it("[OUR-MET-12] adds late samples to the block that is there, and of those of one time keeps the first", async () => {
      const server = await rows.newOne();
      const at = (index: number) => old + index * 30_000;
      const samples = (indices: readonly number[], tps: number) =>
        indices.map((index) => sampleAt(at(index), { tps }));
      expect(await rows.late(server, samples([2, 4, 8, 300], 1))).toBe(4);
      await drain(sealSamples(db, noon));
      expect(await rows.late(server, samples([0, 2, 3, 300, 301], 2))).toBe(3);
      const expected = [0, 2, 3, 4, 8, 300, 301].map((index) => [at(index), [2, 3, 4].includes(index)]);
      expect((await rows.pointsOf(server)).map(({ at }) => at)).toEqual(expected.map(([at]) => at));
      expect(await drain(sealSamples(db, noon))).toBe(3);
      expect((await rows.pointsOf(server)).map(({ at: time, tps }) => [time, tps])).toEqual(
        [
          [0, 2],
          [2, 1],
          [3, 2],
          [4, 1],
          [8, 1],
          [300, 1],
          [301, 2],
        ].map(([index = 0, tps]) => [at(index), tps]),
      );
      expect((await rows.kept(server)).samples).toEqual([]);
      expect((await rows.kept(server)).blocks).toMatchObject([{ points: 7 }]);
      expect(await rows.late(server, samples([0, 3, 301], 3))).toBe(0);
    });

    it("[OUR-MET-12] left half-way and taken up again, or run twice at once, it keeps every sample once", async () => {
      const server = await rows.newOne();
      for (const part of times(3))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(old + (part * 1000 + index) * 7000, { tps: index % 23 })),
        );
      const expected = await summed(server);
      expect(expected[0]).toBe(3000);
      for await (const moved of sealSamples(db, noon)) {
        expect(moved).toBe(480);
        break;
      }
      expect((await rows.kept(server)).samples.length).toBe(2520);
      expect(await summed(server)).toEqual(expected);
      const moved = await Promise.all([drain(sealSamples(db, noon)), drain(sealSamples(db, noon))]);
      expect(moved[0] + moved[1]).toBe(2520);
      expect((await rows.kept(server)).samples).toEqual([]);
      expect(await summed(server)).toEqual(expected);
    });

    it("[OUR-MET-10] goes on while a series is read, and every sample is in it once", async () => {
      const server = await rows.newOne();
      for (const part of times(4))
        await rows.late(
          server,
          times(1000).map((index) => sampleAt(old - 2 * day + (part * 1000 + index) * 20_000)),
        );
      const sealing = drain(sealSamples(db, noon));
      for (let question = 0; question < 4; question += 1) expect((await summed(server))[0]).toBe(4000);
      expect(await sealing).toBe(4000);
    });

    it("[OUR-MET-36] keeps times of receipt, pauses and details", async () => {
      const server = await rows.newOne();
      const worlds_top = [{ name: "world", players: 2 }];
      await rows.late(server, [
        sampleAt(old, { paused_empty: true, player_count: 0 }),
        sampleAt(old + minute, { tps: 12.5, worlds_top }),
      ]);
      await drain(sealSamples(db, noon));
      // Opened again by a late sample.
      await rows.late(server, [sampleAt(old + 2 * minute)]);
      await drain(sealSamples(db, noon));
      const read = [];
      for await (const part of readRuleSamples(db, server, "tps", old, old + day)) read.push(...part);
      expect(read).toEqual([
        { sampledAt: old, receivedAt: noon, value: null, pausedEmpty: true, targetTps: null },
        { sampledAt: old + minute, receivedAt: noon, value: 12.5, pausedEmpty: false, targetTps: null },
        { sampledAt: old + 2 * minute, receivedAt: noon, value: 20, pausedEmpty: false, targetTps: null },
      ]);
      const [segment] = blockSegments(await db.read(blockOf, server, old));
      const details = detailsCodec
        .unpack(segment?.details ?? null, 3)
        .map((each) => each && JSON.parse(each));
      expect(details[0]).toMatchObject({ paused_empty: true });
      expect(details[1]).toMatchObject({ worlds_top: [{ name: "world", players: 2 }] });
      expect(details[2]).toBeNull();
    });
  });

  describe("pruning", () => {
    it("[OUR-MET-13] deletes what lies 30 days behind the owner's viewing window: samples, and blocks whose whole day does", async () => {
      const windows = { free: 0, pro: 30, hosting: 90, enterprise: 365 } as const;
      const servers = new Map<PlanName, string>();
      const edgeOf = (plan: PlanName): number => noon - (windows[plan] + 30) * day;
      const plans = Object.keys(windows) as PlanName[];
      for (const plan of plans) {
        const edge = edgeOf(plan);
        servers.set(plan, await rows.newOne(plan));
        // Days of which one is wholly behind the edge, and one in part.
        await rows.late(
          servers.get(plan) ?? "",
          [edge - day, edge - 1, edge].map((at) => sampleAt(at)),
        );
      }
      await drain(sealSamples(db, noon));
      for (const plan of plans) {
        const edge = edgeOf(plan);
        const times = [edge - 2, edge + 1, noon - 1];
        await rows.late(
          servers.get(plan) ?? "",
          times.map((at) => sampleAt(at)),
        );
      }
      await drain(prune(db, noon, defaultPlans));
      for (const [plan, server] of servers) {
        const edge = edgeOf(plan);
        const { samples, blocks } = await rows.kept(server);
        expect(samples, plan).toEqual([edge + 1, noon - 1]);
        expect(
          blocks.map((block) => block["last_at"]),
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
