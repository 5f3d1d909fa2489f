import { afterAll, beforeAll, expect, it } from "vitest";
import { httpServer } from "../../src/rest/http-server.ts";
import { mountProbes } from "../../src/rest/pages.ts";
import { mountEndpoints } from "../../src/rest/routes.ts";
import { Overload } from "../../src/rest/shed-load.ts";
import { noWaits, waitsNow, type Waits } from "../../src/rest/waits.ts";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { times } from "../store/engine/rows.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const calls = (callMs: number): Waits => ({ ...noWaits, callMs });

/** The statuses of requests at each wait, and how many refusals were counted by kind. */
async function answersAt(given: readonly Waits[], requests: readonly (readonly ["GET" | "POST", string])[]) {
  let now = noWaits;
  const shed: string[] = [];
  const app = Object.assign(Object.create(service.app) as typeof service.app, {
    meter: { ...service.app.meter, callShed: (kind: string) => void shed.push(kind) },
  });
  let clockMs = 0;
  const overload = new Overload(
    () => now,
    () => clockMs,
  );
  const http = httpServer(app, [], undefined, overload);
  mountEndpoints(http, { prefix: "/api/v1", endpoints: apiEndpoints }, app);
  mountEndpoints(http, { prefix: "/plugin/v1", endpoints: pluginEndpoints }, app);
  mountProbes(http, app, {
    newestMigration: async () => 1,
    ownMigration: 1,
    damage: () => null,
    isStopping: () => false,
    refusal: () => null,
    isDiskFull: () => false,
    shedsLoad: () => overload.isOn,
    readyWithFullDisk: true,
  });
  const answers = new Map<string, number[]>();
  for (now of given) {
    // What holds for longer than a moment is no burst.
    void overload.isOn;
    clockMs += 1000;
    for (const [method, url] of requests) {
      const { statusCode } = await http.inject({ method, url });
      answers.set(url, [...(answers.get(url) ?? []), statusCode]);
    }
  }
  const ready = (await http.inject({ method: "GET", url: "/readyz" })).json<unknown>();
  const last = await http.inject({ method: "GET", url: "/api/v1/servers", headers: { accept: "text/html" } });
  await http.close();
  return { answers: Object.fromEntries(answers), shed, ready, last };
}

it("[OUR-HTTP-140] what is easiest to repeat is refused first, heartbeats and sign-in last, probes never", async () => {
  const { answers, shed } = await answersAt([0, 400, 600, 1200, 2500].map(calls), [
    ["GET", "/api/v1/servers"],
    ["POST", "/plugin/v1/samples"],
    ["POST", "/plugin/v1/link-codes/claim"],
    ["GET", "/servers?part=state"],
    ["GET", "/servers"],
    ["POST", "/plugin/v1/heartbeat"],
    ["GET", "/sign-in"],
    ["GET", "/livez"],
    ["GET", "/readyz"],
  ]);
  expect(answers).toEqual({
    "/api/v1/servers": [401, 401, 503, 503, 503],
    "/plugin/v1/samples": [401, 401, 503, 503, 503],
    "/plugin/v1/link-codes/claim": [415, 415, 415, 503, 503],
    // No page is mounted here.
    "/servers?part=state": [404, 404, 503, 503, 503],
    "/servers": [404, 404, 404, 503, 503],
    "/plugin/v1/heartbeat": [401, 401, 401, 401, 503],
    "/sign-in": [404, 404, 404, 404, 503],
    "/livez": [200, 200, 200, 200, 200],
    "/readyz": [200, 200, 200, 200, 200],
  });
  expect(["repeatable", "usual", "last"].map((kind) => shed.filter((each) => each === kind).length)).toEqual([
    // The last one asked for the page of a browser.
    3 * 3 + 1,
    2 * 2,
    2,
  ]);
});

it("[OUR-HTTP-140] [OUR-HTTP-141] a refusal says when to try again, not at one time for all, and readyz says it too", async () => {
  const later = new Set<number>();
  for (const _ of times(40)) {
    const { last, ready } = await answersAt([calls(700)], []);
    expect(last.json<unknown>()).toMatchObject({ error: "unavailable" });
    const seconds = Number(last.headers["retry-after"]);
    expect(last.headers["refresh"]).toBe(String(seconds));
    expect(last.headers["x-ratelimit-limit"]).toBeDefined();
    later.add(seconds);
    expect(ready).toMatchObject({ status: "degraded", degraded: "load" });
  }
  expect(later.size).toBeGreaterThan(3);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...later)).toBeLessThanOrEqual(15);
  expect((await answersAt([calls(0)], [])).ready).toEqual({ status: "ok" });
});

it("[OUR-HTTP-140] pieces that wait for long do not keep heartbeats out", async () => {
  const at = async (pieceMs: number) =>
    (
      await answersAt(
        [{ ...noWaits, pieceMs }],
        [
          ["GET", "/api/v1/servers"],
          ["POST", "/plugin/v1/reports"],
          ["POST", "/plugin/v1/heartbeat"],
        ],
      )
    ).answers;
  expect(Object.values(await at(200))).toEqual([[401], [401], [401]]);
  expect(Object.values(await at(300))).toEqual([[503], [401], [401]]);
  expect(Object.values(await at(30_000))).toEqual([[503], [503], [401]]);
});

it("[OUR-HTTP-140] calls that wait for connections to the database are refused in the same order", async () => {
  const requests = [
    ["GET", "/api/v1/servers"],
    ["POST", "/plugin/v1/reports"],
    ["POST", "/plugin/v1/heartbeat"],
  ] as const;
  const at = async (connectionMs: number) =>
    Object.values((await answersAt([{ ...noWaits, connectionMs }], requests)).answers).flat();
  expect(await at(150)).toEqual([401, 401, 401]);
  expect(await at(300)).toEqual([503, 401, 401]);
  expect(await at(700)).toEqual([503, 503, 401]);
  expect(await at(1200)).toEqual([503, 503, 503]);
});

it("[OUR-HTTP-140] a burst of less than half a second refuses nothing, and the overload ends when waits are half as long", () => {
  let [waits, clockMs] = [calls(600), 0];
  const overload = new Overload(
    () => waits,
    () => clockMs,
  );
  const refusesAt = (callMs: number, at: number): boolean => {
    [waits, clockMs] = [calls(callMs), at];
    return overload.refuses("repeatable");
  };
  expect([refusesAt(600, 0), refusesAt(900, 450), refusesAt(100, 480), refusesAt(600, 1600)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(refusesAt(600, 2100)).toBe(true);
  // Still overloaded, though nothing waits too long at this moment.
  expect([refusesAt(300, 2200), overload.isOn, refusesAt(600, 2300)]).toEqual([false, true, true]);
  expect([refusesAt(200, 2400), overload.isOn, refusesAt(600, 2500)]).toEqual([false, false, false]);
});

it("[OUR-HTTP-140] while the service is overloaded only so many reads are answered at a time", () => {
  let [waits, clockMs] = [calls(600), 0];
  const overload = new Overload(
    () => waits,
    () => clockMs,
  );
  const begin = (count: number) => times(count).map(() => overload.begin("repeatable"));
  const ended = begin(40);
  expect(overload.refuses("repeatable")).toBe(false);
  clockMs += 600;
  expect(overload.isOn).toBe(true);
  // Nothing waits too long now, but more reads would make one another late.
  waits = calls(400);
  expect([overload.refuses("repeatable"), overload.refuses("usual"), overload.refuses("last")]).toEqual([
    true,
    false,
    false,
  ]);
  for (const end of ended.slice(0, 16)) end?.();
  expect(overload.refuses("repeatable")).toBe(true);
  ended[16]?.();
  expect(overload.refuses("repeatable")).toBe(false);
  begin(1);
  expect(overload.refuses("repeatable")).toBe(true);
  // Also for some seconds after the overload, or a new crowd would come in at once.
  waits = calls(100);
  clockMs += 3000;
  expect([overload.isOn, overload.refuses("repeatable")]).toEqual([false, true]);
  clockMs += 3000;
  expect(overload.refuses("repeatable")).toBe(false);
  expect([overload.begin("usual"), overload.begin("last")]).toEqual([null, null]);
});

it("[OUR-HTTP-140] fewer than 20 that wait are no queue", () => {
  expect(waitsNow({ waiting: 19, longestMs: 900 })).toEqual(noWaits);
  expect(waitsNow({ waiting: 20, longestMs: 900 })).toEqual({ ...noWaits, connectionMs: 900 });
});
