import { expect, it } from "vitest";
import { oneAtATime } from "../../src/contract/one-at-a-time.ts";

it("[OUR-PLG-12] large documents are worked on one after another, in the order asked, whatever fails", async () => {
  const alone = oneAtATime();
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    alone(async () => {
      seen.push(`${name} begins`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const asked = await Promise.allSettled([work("a"), work("b", true), work("c")]);
  expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("[OUR-PLG-12] everybody else gets the thread between two of them", async () => {
  const alone = oneAtATime();
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const busy = () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
    return Promise.resolve();
  };
  await Promise.all(Array.from({ length: 10 }, () => alone(busy)));
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(5);
});

it("[OUR-PLG-12] the 21st that waits is told to come again, and room comes back", async () => {
  const alone = oneAtATime();
  let open = (): void => {};
  const first = alone(() => new Promise<void>((resolve) => (open = resolve)));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = Array.from({ length: 20 }, () => alone(async () => 1));
  await expect(alone(async () => 1)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
  open();
  await first;
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, () => 1));
  expect(await alone(async () => 2)).toBe(2);
});
