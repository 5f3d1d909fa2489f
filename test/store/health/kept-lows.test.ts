import { expect, it } from "vitest";
import { lowMs } from "../../../src/core/health/field-low.ts";
import { memoryGrowth } from "../../../src/core/health/memory-growth.ts";
import type { Instant } from "../../../src/core/time.ts";
import { sealSamples } from "../../../src/services/metric/seal-samples.ts";
import { diskLowsOf, heapLowsOf } from "../../../src/services/health/field-lows.ts";
import { refreshBaseline } from "../../../src/services/health/refresh-baseline.ts";
import { storeLateSamples } from "../../../src/services/metric/record-heartbeat.ts";
import { baselineOfServer, saveBaseline } from "../../../src/store/health/baselines.ts";
import { eachDatabase } from "../../support/databases.ts";
import { day, minute, newAccount, newServer, noon, sampleAt } from "../engine/rows.ts";

const today = Math.floor(noon / day) * day;
/** Every server's time of the day is over by then. */
const evening = today + day - 1000;
const everyMs = 17 * minute;

/** Samples of a time, of which each six hours have more than the 20 that their least heap needs. */
const samplesOf = (from: Instant, to: Instant, mb: number) =>
  Array.from({ length: (to - from) / everyMs }, (_, index) =>
    sampleAt(from + index * everyMs, { heap_after_gc_mb: mb + (index % 17) }),
  );

eachDatabase((databases) => {
  it("the heap of the days before is kept, and equals that of the samples, also of late ones", async () => {
    const db = await databases.open();
    const { server } = await newServer(db, await newAccount(db));
    const bootTimestamp = today - 9 * day;
    const gap = { from: today - 3 * day, to: today - 3 * day + 2 * lowMs };
    await db.write(storeLateSamples, server.id, samplesOf(bootTimestamp, gap.from, 3000), noon);
    await db.write(storeLateSamples, server.id, samplesOf(gap.to, noon, 3000), noon);
    const refresh = async () => {
      await refreshBaseline(db, { id: server.id, bootTimestamp }, evening);
      return await stored();
    };
    const stored = async () => {
      const found = await db.read(baselineOfServer, server.id);
      if (found === null) throw new Error("Nothing is kept.");
      return found;
    };
    const request = { server: server.id, bootAt: bootTimestamp, to: noon };
    const fresh = (changes: object = {}) => heapLowsOf(db, { ...request, ...changes }, null);

    const first = await refresh();
    expect(first.heapLows).toMatchObject({ from: today - 7 * day, to: today });
    expect(await heapLowsOf(db, request, first)).toEqual(await fresh());
    expect(await fresh()).toHaveLength(28 - 2);
    const others = [
      { bootAt: today - 4 * day + minute },
      { bootAt: noon - 2 * day + minute },
      { to: noon - day },
      { to: noon + 12 * 60 * minute },
    ];
    for (const other of others)
      expect(await heapLowsOf(db, { ...request, ...other }, first)).toEqual(await fresh(other));

    // The two six hours that nobody knew of count before they are kept, and afterwards.
    await db.write(storeLateSamples, server.id, samplesOf(gap.from, gap.to, 2000), noon);
    const marked = await stored();
    expect(marked.heapLows).toEqual(first.heapLows);
    expect(await heapLowsOf(db, request, marked)).toEqual(await fresh());
    const second = await refresh();
    expect(await heapLowsOf(db, request, second)).toEqual(await fresh());
    expect((await fresh()).map(({ mb }) => mb).filter((mb) => mb < 3000)).toHaveLength(2);
  });

  it("[OUR-HLT-90] the line of a leak goes through the times of its lows, from rows and from blocks", async () => {
    const db = await databases.open();
    const { server } = await newServer(db, await newAccount(db));
    const limit = 8000;
    const perDay = 900;
    // Nothing was measured in the first hours of some parts, so that lows do not come at one time of their six hours.
    const leakFrom = today - 4 * day;
    const heapAt = (at: Instant): number => 3100 + (perDay * (at - leakFrom)) / day;
    const full = leakFrom + ((0.9 * limit - 3100) / perDay) * day;
    const samples = Array.from({ length: (noon - leakFrom) / (5 * minute) }, (_, index) => {
      const at = leakFrom + index * 5 * minute;
      return { at, isLeftOut: Math.floor(at / lowMs) % 3 === 0 && at % lowMs < 200 * minute };
    }).flatMap(({ at, isLeftOut }) =>
      // A young collection leaves garbage behind: two of three figures lie above the floor.
      isLeftOut
        ? []
        : [sampleAt(at, { heap_after_gc_mb: Math.round(heapAt(at)) + ((at / (5 * minute)) % 3) * 150 })],
    );
    await db.write(storeLateSamples, server.id, samples, noon);
    const request = { server: server.id, bootAt: leakFrom - minute, to: noon };
    const rows = await heapLowsOf(db, request, null);
    for (const { at, lowAt, mb } of rows) {
      expect(mb).toBe(Math.round(heapAt(lowAt)));
      expect(lowAt - at).toBeLessThan(lowMs);
    }
    expect(new Set(rows.map(({ at, lowAt }) => lowAt - at)).size).toBeGreaterThan(1);
    const growth = memoryGrowth(rows, limit);
    expect(Math.abs((growth?.fullAt ?? 0) - full)).toBeLessThan(5 * minute);
    expect(growth?.measuredAt).toBe(rows.at(-1)?.lowAt);
    for await (const moved of sealSamples(db, noon)) expect(moved).toBeGreaterThan(0);
    expect(await heapLowsOf(db, request, null)).toEqual(rows);
  });

  it("days that are kept are not read again, but for those of which something came late", async () => {
    const db = await databases.open();
    const { server } = await newServer(db, await newAccount(db));
    const bootTimestamp = today - 8 * day;
    await db.write(storeLateSamples, server.id, samplesOf(bootTimestamp, noon, 3000), noon);
    const known = await refreshBaseline(db, { id: server.id, bootTimestamp }, evening);
    const whole = await db.read(baselineOfServer, known.serverId);
    if (!whole?.heapLows) throw new Error("Nothing is kept.");
    // What nobody measured is seen where what is kept is taken.
    const lows = whole.heapLows.lows.map(({ at, lowAt }) => ({ at, lowAt, mb: 1 }));
    const altered = { ...whole, heapLows: { ...whole.heapLows, lows } };
    await db.write(saveBaseline, altered);
    const read = await heapLowsOf(db, { server: server.id, bootAt: bootTimestamp, to: noon }, altered);
    expect(read.filter(({ mb }) => mb === 1).map(({ at }) => at)).toEqual(
      lows.map(({ at }) => at).filter((at) => at >= noon - 7 * day),
    );
    expect(read.filter(({ mb }) => mb !== 1).map(({ at }) => at)).toEqual([today, today + lowMs]);

    const changed = today - 2 * day;
    await db.write(storeLateSamples, server.id, [sampleAt(changed + 1, { heap_after_gc_mb: 2500 })], noon);
    await refreshBaseline(db, { id: server.id, bootTimestamp }, evening);
    const kept = (await db.read(baselineOfServer, server.id))?.heapLows?.lows ?? [];
    const ofChanged = kept.filter(({ at }) => at >= changed && at < changed + day);
    expect(ofChanged.map(({ mb }) => mb)).toEqual([2500, 3000, 3000, 3000]);
    expect(kept.filter(({ mb }) => mb === 1)).toHaveLength(lows.length - 4);
  });

  it("[OUR-HLT-124] the disk of the days before is kept, and equals that of the samples, also of late ones", async () => {
    const db = await databases.open();
    const { server } = await newServer(db, await newAccount(db));
    const free = (from: Instant, to: Instant, mb: number) =>
      Array.from({ length: (to - from) / everyMs }, (_, index) =>
        sampleAt(from + index * everyMs, { disk_free_mb: mb - index, disk_total_mb: 99_000 }),
      );
    await db.write(storeLateSamples, server.id, free(today - 9 * day, evening - minute, 50_000), evening);
    const of = { server: server.id, isSent: true, from: noon, to: noon };
    const fresh = () => diskLowsOf(db, of, null);
    const refresh = async () => {
      // A server without a known start has no lows of its heap, and those of its disk all the same.
      await refreshBaseline(db, { id: server.id, bootTimestamp: null }, evening);
      return await db.read(baselineOfServer, server.id);
    };
    const first = await refresh();
    expect(first?.diskLows).toMatchObject({ from: today - 7 * day, to: today });
    expect(first?.diskLows?.lows).toHaveLength(28);
    expect(await fresh()).toHaveLength(28);
    expect(await diskLowsOf(db, of, first)).toEqual(await fresh());
    expect(await diskLowsOf(db, { ...of, isSent: false }, first)).toEqual([]);
    for await (const moved of sealSamples(db, evening)) expect(moved).toBeGreaterThan(0);
    expect(await diskLowsOf(db, of, first)).toEqual(await fresh());

    const changed = today - 2 * day;
    await db.write(storeLateSamples, server.id, [sampleAt(changed + 1, { disk_free_mb: 700 })], evening);
    expect(await diskLowsOf(db, of, await db.read(baselineOfServer, server.id))).toEqual(await fresh());
    const second = await refresh();
    expect(await diskLowsOf(db, of, second)).toEqual(await fresh());
    expect(second?.diskLows?.lows.filter(({ mb }) => mb === 700)).toHaveLength(1);
  });
});
