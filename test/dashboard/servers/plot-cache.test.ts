import { expect, it } from "vitest";
import { plotCache } from "../../../src/dashboard/pages/servers/plot-cache.ts";

const plot = (from: number) => ({ from, to: from + 1, times: [], gaps: [], lines: {} });

it("[OUR-LIV-24] reads the small chart of a server again after a minute, or when the clock was set back", async () => {
  const cache = plotCache();
  const reads: number[] = [];
  const at = (now: number, key = "account server") =>
    cache.of(key, now, async () => {
      reads.push(now);
      return plot(now);
    });
  expect(await at(100_000)).toEqual(plot(100_000));
  expect(await at(159_999)).toEqual(plot(100_000));
  expect(await at(159_999, "other server")).toEqual(plot(159_999));
  expect(await at(160_000)).toEqual(plot(160_000));
  expect(await at(150_000)).toEqual(plot(150_000));
  expect(reads).toEqual([100_000, 159_999, 160_000, 150_000]);
});

it("[OUR-LIV-24] keeps 5,000 charts, the newest ones, and none of a read that failed", async () => {
  const cache = plotCache();
  let reads = 0;
  const at = (key: number) => cache.of(String(key), 1000, async () => ((reads += 1), null));
  for (let key = 0; key <= 5000; key += 1) await at(key);
  for (const key of [1, 5000]) await at(key);
  expect(reads).toBe(5001);
  await at(0);
  expect(reads).toBe(5002);
  const failing = cache.of("x", 1000, async () => {
    throw new Error("not now");
  });
  await expect(failing).rejects.toThrow("not now");
  expect(await cache.of("x", 1000, async () => plot(1))).toEqual(plot(1));
});
