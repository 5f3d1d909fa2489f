import { selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { recordHeartbeat, storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { HeartbeatWrite, SampleWrite } from "../../../src/core/server/records.ts";
import type { MonitoredServer } from "../../../src/core/server/server.ts";
import { all, type Database } from "../../../src/store/engine/database.ts";
import { query } from "../../../src/store/engine/query.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newServer, noon, sampleAt, times } from "../engine/rows.ts";

const stored = query<{ server: string }>()((db, $) =>
  db.selectFrom("sample").selectAll().where("server_id", "=", $.server).orderBy("sampled_at"),
);

const paused = { paused_empty: true, tps: null, player_count: 0 };

eachDatabase((databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.open();
  });

  const samplesOf = (server: string) => db.read(() => all(stored, { server }));

  /** A new server with its heartbeat, and what is known of it then. */
  async function monitored() {
    const account = await newAccount(db);
    const { id } = (await newServer(db, account)).server;
    const beat = async (
      receivedAt: number,
      sample: SampleWrite | null = null,
      rest: Partial<HeartbeatWrite> = {},
    ) => {
      const silent = {
        bootTimestamp: null,
        lastTickAgeMs: null,
        announcement: null,
        limits: defaultPlans.pro,
      };
      await db.writeFor(id, recordHeartbeat, { serverId: id, receivedAt, sample, ...silent, ...rest });
      return look();
    };
    const look = async (): Promise<MonitoredServer> => {
      const server = await db.read(selectMonitoredServer, id, account.id);
      if (!server) throw new Error("The server is gone.");
      return server;
    };
    return { id, beat, look };
  }

  describe("a heartbeat", () => {
    it("[OUR-STO-12] leaves what it says, and takes an earlier announcement back", async () => {
      const { beat } = await monitored();
      const announcement = { kind: "stopped", at: noon + 1 } as const;
      const said = await beat(noon + 1, null, { announcement, bootTimestamp: noon - day, lastTickAgeMs: 44 });
      expect(said).toMatchObject({
        lastHeartbeat: noon + 1,
        bootTimestamp: noon - day,
        lastTickAgeMs: 44,
        announcement,
      });
      expect(await beat(noon + 2)).toMatchObject({
        lastHeartbeat: noon + 2,
        bootTimestamp: null,
        lastTickAgeMs: null,
        announcement: null,
      });
      const pause = { kind: "paused", at: noon + 3 } as const;
      expect((await beat(noon + 3, null, { announcement: pause })).announcement).toEqual(pause);
    });

    it("[OUR-STO-13] without a sample keeps the one shown", async () => {
      const { beat } = await monitored();
      const first = await beat(
        noon,
        sampleAt(noon, { tps: 19.5, heap_after_gc_mb: 2048, worlds_top: [{ name: "world" }] }),
      );
      const later = await beat(noon + minute);
      expect(later).toMatchObject({ sampledAt: noon, sample: first.sample, lastHeartbeat: noon + minute });
      expect(later.sample).toMatchObject({ tps: 19.5, heap_after_gc_mb: 2048, mspt: null });
    });

    it("[OUR-STO-13] with an older sample keeps the newer one, and db the older", async () => {
      const { id, beat } = await monitored();
      await beat(noon, sampleAt(noon, { tps: 20 }));
      expect(await beat(noon + 1, sampleAt(noon - minute, { tps: 3 }))).toMatchObject({
        sampledAt: noon,
        sample: { tps: 20 },
      });
      expect((await samplesOf(id)).map(({ tps }) => tps)).toEqual([3, 20]);
    });

    it("[OUR-STO-14] with a sample of an instant that is known changes neither the series nor what is shown", async () => {
      const { id, beat } = await monitored();
      await beat(noon, sampleAt(noon, { tps: 20 }));
      expect((await beat(noon + 1, sampleAt(noon, { tps: 3 }))).sample?.tps).toBe(20);
      expect(await samplesOf(id)).toMatchObject([{ tps: 20, received_at: noon }]);
    });

    it("[STA-08] [OUR-STO-13] goes by its receipt where the plugin's clock ran ahead, so that a correction is seen", async () => {
      const { beat } = await monitored();
      await beat(noon, sampleAt(noon + 4 * minute, paused));
      const corrected = await beat(noon + 30_000, sampleAt(noon + 30_000, { player_count: 7 }));
      expect(corrected).toMatchObject({
        sampledAt: noon + 30_000,
        sample: { player_count: 7 },
        pausedSince: null,
      });
    });

    it("[OUR-STO-12] that comes late takes back nothing that a newer one said", async () => {
      const { beat } = await monitored();
      const announcement = { kind: "stopped", at: noon + 60_000 } as const;
      await beat(noon + 60_000, null, { announcement });
      expect(await beat(noon + 30_000)).toMatchObject({ lastHeartbeat: noon + 60_000, announcement });
    });

    it("[OUR-STO-12] [OUR-STO-13] leaves the same beside a newer one, whichever of the two is written first", async () => {
      const [early, late] = [noon, noon + 2];
      const leaves = async (isTurned: boolean) => {
        const { id, beat, look } = await monitored();
        const announcement = { kind: "stopped", at: early } as const;
        const writes = [
          () => beat(early, sampleAt(early, { tps: 3 }), { announcement, bootTimestamp: noon - day }),
          () => beat(late, sampleAt(late, { tps: 20 }), { lastTickAgeMs: 7 }),
        ];
        for (const write of isTurned ? writes.toReversed() : writes) await write();
        const { announcement: said, lastHeartbeat, bootTimestamp, lastTickAgeMs, sample } = await look();
        const samples = (await samplesOf(id)).map(({ tps, received_at }) => [tps, received_at]);
        return { said, lastHeartbeat, bootTimestamp, lastTickAgeMs, tps: sample?.tps, samples };
      };
      const inOrder = await leaves(false);
      expect(inOrder).toMatchObject({ said: null, lastHeartbeat: late, lastTickAgeMs: 7, tps: 20 });
      expect(await leaves(true)).toEqual(inOrder);
    });

    it("[OUR-STO-15] replaces a sample that a wrong clock of ours dated far ahead", async () => {
      const { beat } = await monitored();
      await beat(noon + 400 * day, sampleAt(noon + 400 * day, { tps: 1 }));
      expect(await beat(noon, sampleAt(noon, { tps: 20 }))).toMatchObject({
        sampledAt: noon,
        sample: { tps: 20 },
      });
    });

    it("[OUR-STO-16] sent twice at once is one sample", async () => {
      const { id, beat } = await monitored();
      await Promise.all(times(6).map(() => beat(noon, sampleAt(noon, { tps: 18 }))));
      expect(await samplesOf(id)).toHaveLength(1);
    });
  });

  describe("a pause", () => {
    it("[OUR-STO-17] begins with the first sample of a run of paused ones, and ends with one that is not", async () => {
      const { beat } = await monitored();
      await beat(noon, sampleAt(noon));
      expect((await beat(noon + minute, sampleAt(noon + minute, paused))).pausedSince).toBe(noon + minute);
      expect((await beat(noon + 2 * minute, sampleAt(noon + 2 * minute, paused))).pausedSince).toBe(
        noon + minute,
      );
      expect((await beat(noon + 3 * minute, sampleAt(noon + 3 * minute))).pausedSince).toBeNull();
      expect((await beat(noon + 4 * minute, sampleAt(noon + 4 * minute, paused))).pausedSince).toBe(
        noon + 4 * minute,
      );
    });

    it("[OUR-STO-17] begins when the plugin says so, but never after its own sample", async () => {
      const { beat } = await monitored();
      const since = (at: number) => ({ ...paused, paused_since: new Date(at).toISOString() });
      expect((await beat(noon, sampleAt(noon, since(noon - day)))).pausedSince).toBe(noon - day);
      expect((await beat(noon + 1, sampleAt(noon + 1, since(noon + day)))).pausedSince).toBe(noon + 1);
    });

    it("[OUR-STO-17] is none while somebody plays, whatever the plugin says", async () => {
      const { beat } = await monitored();
      const played = await beat(noon, sampleAt(noon, { ...paused, player_count: 1 }));
      expect(played).toMatchObject({ pausedSince: null, sample: { paused_empty: false } });
    });
  });

  describe("late samples", () => {
    it("[OUR-STO-18] enter the series once each, and never what is shown", async () => {
      const { id, beat, look } = await monitored();
      await beat(noon, sampleAt(noon, { tps: 20 }));
      const batch = [noon + minute, noon - minute, noon + minute, noon].map((at) => sampleAt(at, { tps: 7 }));
      expect(await db.writeFor(id, storeLateSamples, id, batch, noon + day)).toBe(2);
      expect(await db.writeFor(id, storeLateSamples, id, batch, noon + day)).toBe(0);
      expect((await samplesOf(id)).map(({ sampled_at, tps }) => [sampled_at, tps])).toEqual([
        [noon - minute, 7],
        [noon, 20],
        [noon + minute, 7],
      ]);
      expect(await look()).toMatchObject({ sampledAt: noon, lastHeartbeat: noon, sample: { tps: 20 } });
    });

    it("[OUR-STO-18] sent several times at once, in whatever order, are counted as new once", async () => {
      const { id } = await monitored();
      const batch = times(60).map((index) => sampleAt(noon + index * minute));
      const orders = [batch, batch.toReversed(), batch, batch.toReversed(), batch];
      const counts = await Promise.all(
        orders.map((samples) => db.writeFor(id, storeLateSamples, id, samples, noon)),
      );
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
      expect(await samplesOf(id)).toHaveLength(60);
    });

    it("[OUR-STO-19] keep every measured value as it was sent, absent ones as unknown", async () => {
      const { id } = await monitored();
      const values = {
        mspt: 12.345678901,
        ram_max_mb: 999_999_999_999,
        tps: 0.1,
        gc_stw_ms: 0,
        player_count: 0,
      };
      await db.write(
        storeLateSamples,
        id,
        [sampleAt(noon, { ...values, regions: [{ world: "w", center_x: -3, center_z: 4 }] })],
        noon + 5,
      );
      const [row] = await samplesOf(id);
      expect(row).toMatchObject({ ...values, received_at: noon + 5, entity_count: null, ping_ms: null });
      expect(JSON.parse(row?.detail ?? "null")).toMatchObject({
        paused_empty: null,
        regions: [{ world: "w", center_x: -3 }],
      });
    });
  });
});
