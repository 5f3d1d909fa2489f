import { expect, it } from "vitest";
import { accountTurns, mostWaiting, mostWaitingOfOne } from "../../src/documents/account-turns.ts";

/** Work that ends when it is told to, and a list of what has begun. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (error) => (error ? reject(error) : resolve(name))),
    );
  };
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return { begun, work, end };
}

it("[OUR-PLG-12] of each account one document is read at a time, and accounts take turns, whatever fails", async () => {
  const { begun, work, end } = held();
  const turn = accountTurns(2);
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => turn(name.slice(0, 1), work(name)));
  const settled = Promise.allSettled(all);
  await end("");
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1", new Error("a1"));
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("c1");
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2"]);
  // The other slot stays free: what waits is of an account that has its turn.
  await end("b2");
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2"]);
  await end("a2");
  expect(begun.at(-1)).toBe("a3");
  await end("a3");
  expect((await settled).map(({ status }) => status)).toEqual([
    "rejected",
    ...Array.from({ length: 5 }, () => "fulfilled"),
  ]);
});

it("[OUR-PLG-12] too many of one account, or of all, are told to come again, and room comes back", async () => {
  const { begun, work, end } = held();
  const turn = accountTurns(1);
  const busy = { code: "rate_limited", retryAfterSeconds: 5 };
  const running = [turn("first", work("first"))];
  for (let index = 0; index < mostWaitingOfOne; index += 1) running.push(turn("a", work(`a${index}`)));
  await expect(turn("a", work("beyond"))).rejects.toMatchObject(busy);
  for (let index = mostWaitingOfOne; index < mostWaiting; index += 1)
    running.push(turn(`account ${index}`, work(`b${index}`)));
  await expect(turn("another", work("beyond"))).rejects.toMatchObject(busy);
  await end("first");
  running.push(turn("another", work("last")));
  for (const name of begun) await end(name);
  expect(await Promise.all(running)).toHaveLength(mostWaiting + 2);
  expect(begun).not.toContain("beyond");
});
