import { expect, it } from "vitest";
import { PublicCache, statusLimits } from "../../../src/dashboard/status/public-cache.ts";

type Part = "page" | "badge" | "chart";

const texts = (text: string) => ({ page: text, badge: `${text} badge`, chart: `${text} chart` });

it("[OUR-STP-11] a page is made once at a time, once a minute, and again for another version", async () => {
  const cache = new PublicCache<Part>(statusLimits);
  let [made, atOnce, most] = [0, 0, 0];
  const make = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Promise.resolve();
    made += 1;
    atOnce -= 1;
    return texts(`page ${made}`);
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.of("a", "1", 0, make)));
  expect(new Set(answers.map(({ page }) => page.etag)).size).toBe(1);
  await Promise.all(["b", "c", "d"].map((address) => cache.of(address, "1", 0, make)));
  expect([made, most]).toEqual([4, 1]);
  await cache.of("a", "1", 59_999, make);
  expect(made).toBe(4);
  await cache.of("a", "1", 60_000, make);
  await cache.of("a", "2", 60_000, make);
  // The clock was set back.
  await cache.of("a", "2", 0, make);
  expect(made).toBe(7);
});

it("[OUR-STP-11] a page that cannot be made is tried again, and holds up no other one", async () => {
  const cache = new PublicCache<Part>(statusLimits);
  const failed = cache.of("a", "1", 0, () => Promise.reject(new Error("away")));
  const other = cache.of("b", "1", 0, async () => texts("b"));
  await expect(failed).rejects.toThrow("away");
  expect((await other).page.bytes.toString()).toBe("b");
  expect((await cache.of("a", "1", 0, async () => texts("a"))).page.bytes.toString()).toBe("a");
});

it("[OUR-STP-11] at most 500 pages, 16 MiB and 200 waiting pages are kept", async () => {
  const cache = new PublicCache<Part>(statusLimits);
  for (let page = 0; page < 501; page += 1) await cache.of(`p${page}`, "1", 0, async () => texts("x"));
  expect(cache.size.pages).toBe(500);
  expect([cache.has("p0"), cache.has("p500")]).toEqual([false, true]);
  const large = "x".repeat(1024 * 1024);
  for (let page = 0; page < 6; page += 1) await cache.of(`large${page}`, "1", 0, async () => texts(large));
  expect(cache.size.bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(cache.size.pages).toBe(5);
  let open = (): void => {};
  const closed = new Promise<void>((resolve) => (open = resolve));
  const waiting = Array.from({ length: 200 }, (_, index) =>
    cache.of(`w${index}`, "1", 0, async () => {
      await closed;
      return texts("x");
    }),
  );
  await expect(cache.of("one more", "1", 0, async () => texts("x"))).rejects.toMatchObject({
    code: "rate_limited",
  });
  open();
  await Promise.all(waiting);
  expect(cache.size.pages).toBeLessThanOrEqual(500);
});
