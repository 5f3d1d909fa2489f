import { expect, it } from "vitest";
import type { EventRecord } from "../../../src/core/event/server-event.ts";
import { baselineDays } from "../../../src/core/health/baseline.ts";
import { tickBucketsOf } from "../../../src/core/health/load-buckets.ts";
import { firstSlot, SlownessReplay } from "../../../src/core/health/slowness-replay.ts";
import type { Instant } from "../../../src/core/time.ts";
import { recordEvents } from "../../../src/services/event/record-events.ts";
import { readLoadBuckets } from "../../../src/services/health/read-load-buckets.ts";
import { refreshBaseline } from "../../../src/services/health/refresh-baseline.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { baselineOfServer, loadDaysOf } from "../../../src/store/health/baselines.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newId, newServer, noon, sampleAt } from "../engine/rows.ts";

const today = Math.floor(noon / day) * day;
/** Every server's time of the day is over by then. */
const evening = today + day - 1000;
const first = today - baselineDays * day;

/** Samples of whole days, one every five minutes, without the hours from 10 to 14 of `withoutOf`. */
const usual = (withoutOf: Instant) =>
  Array.from({ length: baselineDays * 288 }, (_, index) => first + index * 5 * minute)
    .filter((at) => at < withoutOf + 10 * 60 * minute || at >= withoutOf + 14 * 60 * minute)
    .map((at) => sampleAt(at, { mspt: 20 + (at % 7), player_count: 12 }));

/** The same hours, in which every tick took long. */
const late = (of: Instant) =>
  Array.from({ length: 48 }, (_, index) =>
    sampleAt(of + (10 * 60 + index * 5) * minute, { mspt: 60, player_count: 12 }),
  );

const started = (serverId: string, at: Instant): EventRecord => ({
  id: newId(),
  serverId,
  localId: `start-${at}`,
  type: "server_start",
  category: "lifecycle",
  source: "server",
  severity: "info",
  title: "Server started",
  description: null,
  metadata: null,
  happenedAt: at,
  durationMs: null,
  receivedAt: noon,
});

async function linked(db: Database) {
  const { server } = await newServer(db, await newAccount(db));
  return { id: server.id, bootTimestamp: null };
}

eachDatabase((databases) => {
  it("[OUR-HLT-68] a day that gets late samples is read again, and equals a fresh computation", async () => {
    const db = await databases.open();
    const server = await linked(db);
    const changed = today - 3 * day;
    await db.write(storeLateSamples, server.id, usual(changed), noon);
    const before = await refreshBaseline(db, server, evening);
    expect(before.day).toBe(today);
    const kept = () => db.read(loadDaysOf, server.id, first, today);
    expect(await kept()).toHaveLength(baselineDays);

    await db.write(storeLateSamples, server.id, late(changed), noon);
    expect((await kept()).map(({ day: at }) => at)).not.toContain(changed);
    expect((await db.read(baselineOfServer, server.id))?.day).toBeLessThan(0);

    const after = await refreshBaseline(db, server, evening);
    const fresh = await readLoadBuckets(db, server, first, today);
    expect((await kept()).flatMap(({ buckets }) => buckets)).toEqual(fresh);
    const replay = new SlownessReplay(server.id, tickBucketsOf(fresh), firstSlot(server.id, evening));
    Array.from(replay.advance(evening - minute));
    expect(after.baseline).toEqual(replay.checkpoint?.baseline);
    expect(after.baseline).not.toEqual(before.baseline);
    expect((await db.read(baselineOfServer, server.id))?.day).toBe(today);

    // The same samples once more are nothing new, and neither are those of today.
    await db.write(storeLateSamples, server.id, late(changed), noon);
    await db.write(storeLateSamples, server.id, [sampleAt(noon - minute)], noon);
    expect(await kept()).toHaveLength(baselineDays);
    expect((await db.read(baselineOfServer, server.id))?.day).toBe(today);
  });

  it("[OUR-HLT-68] a late start of the server leaves its first minutes out of both days that it touches", async () => {
    const db = await databases.open();
    const server = await linked(db);
    await db.write(storeLateSamples, server.id, usual(first), noon);
    await refreshBaseline(db, server, evening);
    const yesterday = today - day;
    await db.write(recordEvents, server.id, [started(server.id, yesterday - 5 * minute)], noon);
    await refreshBaseline(db, server, evening);
    const kept = await db.read(loadDaysOf, server.id, yesterday - day, today);
    const fresh = await readLoadBuckets(db, server, yesterday - day, today);
    expect(kept.flatMap(({ buckets }) => buckets)).toEqual(fresh);
    expect(fresh.map(({ at }) => at)).not.toContain(yesterday - 5 * minute);
    expect(fresh.map(({ at }) => at)).not.toContain(yesterday);
  });

  it("[OUR-HLT-68] samples that arrive while a day is read are in the next computation", async () => {
    const db = await databases.open();
    const server = await linked(db);
    const changed = today - 3 * day;
    await db.write(storeLateSamples, server.id, usual(changed), noon);
    // The first computation of a server, and one that follows another.
    for (const part of [late(changed).slice(0, 24), late(changed).slice(24)]) {
      const running = refreshBaseline(db, server, evening);
      await new Promise((resolve) => setImmediate(resolve));
      await db.write(storeLateSamples, server.id, part, noon);
      await running;
      const stale = await db.read(baselineOfServer, server.id);
      if ((stale?.day ?? 0) < 0)
        expect(await db.read(loadDaysOf, server.id, changed, changed + day)).toEqual([]);
      await refreshBaseline(db, server, evening);
      const kept = await db.read(loadDaysOf, server.id, first, today);
      expect(kept.flatMap(({ buckets }) => buckets)).toEqual(await readLoadBuckets(db, server, first, today));
      await db.write(
        storeLateSamples,
        server.id,
        [sampleAt(changed + 10 * 60 * minute + 1000 + part.length)],
        noon,
      );
    }
  });
});
