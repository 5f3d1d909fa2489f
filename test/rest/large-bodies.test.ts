import { gzipSync } from "node:zlib";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { profilePayload } from "../support/captures.ts";
import { isLong } from "../support/long.ts";
import { served } from "../support/scene.ts";

const shared = served();

/** Others ask again after so long, ms. */
const pollMs = 5;

/** Calls of each upload: all that a profile may have in the long run. */
const calls = isLong ? 100_000 : 25_000;

/** One chain of calls: 100,000 of them are 4 MB of JSON, 0.5 MB compressed. */
const chain = (): Buffer =>
  gzipSync(
    JSON.stringify(
      profilePayload({
        nodes: Array.from({ length: calls }, (_, index) => ({
          parent: index - 1,
          frame: index % 5,
          samples: 1,
        })),
        samples: {},
      }),
    ),
  );

it("[OUR-PLG-12] thirty large uploads at once: each is taken or told when to come again, and others get answers meanwhile", async () => {
  const owner = await shared.service.account("enterprise");
  const { credential } = await shared.service.server(owner);
  const headers = { "content-encoding": "gzip", "content-type": "application/json" };
  const bodies = Array.from({ length: 30 }, chain);
  const began = process.memoryUsage().rss;
  let waited = 0;
  let answered = 0;
  let most = began;
  const over = new AbortController();
  const poll = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const start = performance.now();
      const { status } = await shared.service.request("GET", "/healthz");
      expect(status).toBe(200);
      waited = Math.max(waited, performance.now() - start);
      answered += 1;
      most = Math.max(most, process.memoryUsage().rss);
      await setTimeout(pollMs);
    }
  };
  const polling = poll();
  const answers = await Promise.all(
    bodies.map((body) =>
      shared.service.request("POST", "/plugin/v1/profiles", { token: credential, headers, body }),
    ),
  );
  over.abort();
  await polling;
  const statuses = answers.map(({ status }) => status);
  console.log(
    `30 uploads of ${calls} calls: ${statuses.filter((status) => status === 201).length} taken; ` +
      `${answered} answers to others, the longest after ${waited.toFixed(0)} ms; ` +
      `memory +${((most - began) / 1024 / 1024).toFixed(0)} MiB`,
  );
  expect(statuses.every((status) => status === 201 || status === 429)).toBe(true);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(20);
  for (const { status, headers: told } of answers) if (status === 429) expect(told["retry-after"]).toBe("5");
  expect(most - began).toBeLessThan(700 * 1024 * 1024);
});
