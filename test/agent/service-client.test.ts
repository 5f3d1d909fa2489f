import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as rest } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SourceReader } from "../../src/agent/sources/read-source.ts";
import { continued, merged } from "../../src/agent/sources/merge.ts";
import type { Source } from "../../src/agent/sources/source.ts";
import { ServiceClient } from "../../src/agent/send/service-client.ts";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { handClock } from "../support/clock.ts";

/** The next answers of the service, and the requests it got. */
const answers: { status: number; retryAfter?: number }[] = [];
const requests: string[] = [];
const service = createServer((request, response) => {
  requests.push(request.url ?? "");
  const { status, retryAfter } = answers.shift() ?? { status: 200 };
  request.resume().on("end", () => {
    response.writeHead(status, {
      "content-type": "application/json",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    });
    response.end(JSON.stringify({ accepted: true, stored: 0, duplicates: 0, too_old: 0 }));
  });
});
let url = "";
beforeAll(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  url = `http://127.0.0.1:${(service.address() as { port: number }).port}`;
});
afterAll(() => void service.close());

it("[OUR-AGT-18] rests after failures, longer each time and a minute at most, and says when they begin and end", async () => {
  const clock = handClock();
  const lines: string[] = [];
  const sender = new ServiceClient(pluginClient(url), clock.now, (line) => lines.push(line));
  const send = () => sender.send((client) => client.samples([]));
  const rests: number[] = [];
  for (let failure = 0; failure < 9; failure += 1) {
    answers.push({ status: 503 });
    expect(await send()).toEqual({ kind: "failed" });
    const calls = requests.length;
    expect(await send()).toEqual({ kind: "failed" });
    expect(requests.length).toBe(calls);
    let seconds = 0;
    for (; !sender.open; seconds += 0.25) clock.advance(250);
    rests.push(seconds);
  }
  expect(rests[0]).toBeLessThanOrEqual(1);
  expect(rests.every((seconds, index) => index === 0 || seconds >= (rests[index - 1] ?? 0) * 0.7)).toBe(true);
  expect(rests.at(-1)).toBeGreaterThan(40);
  expect(Math.max(...rests)).toBeLessThanOrEqual(60);
  expect((await send()).kind).toBe("answered");
  expect(lines).toEqual([expect.stringContaining("cannot be reached"), "The service can be reached again."]);
});

it("[OUR-AGT-18] leaves a service alone for as long as it asks, and keeps the order of what it sends", async () => {
  const clock = handClock();
  const sender = new ServiceClient(pluginClient(url), clock.now, () => {});
  answers.push({ status: 429, retryAfter: 17 });
  expect((await sender.send((client) => client.samples([]))).kind).toBe("failed");
  clock.advance(16_900);
  expect(sender.open).toBe(false);
  clock.advance(200);
  expect(sender.open).toBe(true);
  requests.length = 0;
  const sent = ["samples", "events", "samples"].map((what) =>
    sender.send<unknown>((client) => (what === "samples" ? client.samples([]) : client.events([]))),
  );
  await Promise.all(sent);
  expect(requests).toEqual(["/plugin/v1/samples", "/plugin/v1/events", "/plugin/v1/samples"]);
});

it("[OUR-AGT-04] a source that is late costs its own reading alone, and is read again once it is done", async () => {
  const lines: string[] = [];
  let reads = 0;
  let finish = (): void => {};
  const slow: Source = {
    name: "slow",
    check: async () => [],
    read: () => {
      reads += 1;
      return new Promise((resolve) => {
        finish = () => resolve({ measured: { tps: 1 } });
      });
    },
    close: async () => {},
  };
  const quick: Source = { ...slow, name: "quick", read: async () => ({ measured: { mspt: 9 } }) };
  const asking = new SourceReader([slow, quick], (line) => lines.push(line), 20);
  const late = [await asking.read(0), await asking.read(0)];
  expect(late).toEqual(Array.from({ length: 2 }, () => [{ measured: { mspt: 9 } }]));
  expect([reads, lines.length]).toEqual([1, 1]);
  finish();
  await rest(0);
  const third = asking.read(0);
  finish();
  expect(await third).toEqual([{ measured: { tps: 1 } }, { measured: { mspt: 9 } }]);
  expect(lines).toEqual(["slow: cannot be read (no answer within 0.02 s).", "slow: can be read again."]);
});

it("[OUR-AGT-01] the first source that tells a figure is believed; what is watched in one turn adds up", () => {
  const readings = [
    { measured: { tps: null } },
    { measured: { tps: 19, mspt: 4 } },
    { measured: { tps: 20 } },
  ];
  expect(merged(readings).measured).toEqual({ tps: 19, mspt: 4 });
  const early = { measured: { lag_seconds: 2, worst_tick_ms: 900, player_count: 3 }, pausedSince: 5 };
  const later = { measured: { lag_seconds: 1, worst_tick_ms: 300, player_count: 4 } };
  expect(continued(early, later)).toEqual({
    measured: { lag_seconds: 3, worst_tick_ms: 900, player_count: 4 },
    events: [],
  });
});
