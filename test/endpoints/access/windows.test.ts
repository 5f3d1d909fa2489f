import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startTestService,
  type Answer,
  type TestService,
  type TestServiceOptions,
} from "../../support/service.ts";
import { signedIn } from "../../support/visitor.ts";
import { dayMs, handClock, hourMs, minuteMs, secondMs, type HandClock } from "../../support/clock.ts";
import { windowsOf } from "./windows-of.ts";

let service: TestService;
let clock: HandClock;

const open = async (plans: TestServiceOptions["plans"] = {}): Promise<void> => {
  clock = handClock();
  service = await startTestService({ clock: clock.now, plans });
};
beforeEach(() => open());
afterEach(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const get = (path: string, token?: string): Promise<Answer> =>
  service.request("GET", path, { token: token ?? null });
const remaining = async (token: string): Promise<{ day: number; hour: number }> => {
  const { json } = await get("/api/v1/token", token);
  const limits = json["limits"] as Record<"daily" | "hourly", { limit: number; used: number }>;
  return { day: limits.daily.limit - limits.daily.used, hour: limits.hourly.limit - limits.hourly.used };
};

describe("which window the headers tell", () => {
  it("[QUO-03] the one with fewer calls left", async () => {
    await service.close();
    await open({ pro: { daily_calls: 5, hourly_calls: 3 }, hosting: { daily_calls: 3, hourly_calls: 5 } });
    const pro = await get("/api/v1/servers", await service.token(await service.account("pro")));
    expect(windowsOf(pro)).toMatchObject({ window: "hour", limit: 3, remaining: 2 });
    const hosting = await get("/api/v1/servers", await service.token(await service.account("hosting")));
    expect(windowsOf(hosting)).toMatchObject({ window: "day", limit: 3, remaining: 2 });
    expect(hosting.headers["ratelimit-policy"]).toBe('"day";q=3;w=86400, "hour";q=5;w=3600');
    expect(hosting.headers["ratelimit"]).toBe('"day";r=2;t=86400, "hour";r=4;t=3600');
  });

  it("[QUO-03] on a tie the one that resets later", async () => {
    await service.close();
    await open({ pro: { daily_calls: 4, hourly_calls: 3 }, hosting: { daily_calls: 3, hourly_calls: 3 } });
    const even = await service.token(await service.account("hosting"));
    expect(windowsOf(await get("/api/v1/servers", even)).window).toBe("day");
    const late = await service.token(await service.account("pro"));
    await get("/api/v1/servers", late);
    clock.advance(23.5 * hourMs);
    const tied = await get("/api/v1/servers", late);
    expect(tied.headers["ratelimit"]).toBe('"day";r=2;t=1800, "hour";r=2;t=3600');
    expect(windowsOf(tied).window).toBe("hour");
  });

  it("[QUO-03] a window not yet open resets its whole length from now", async () => {
    const { reset, remaining: left } = windowsOf(await get("/api/v1/nothing"));
    expect([reset, left]).toEqual([Math.ceil((clock.now() + dayMs) / secondMs), 10]);
  });
});

describe("how long a window lasts", () => {
  it("[QUO-07] the day is 24 hours from the first counted call, to the millisecond", async () => {
    const token = await service.token(await service.account("pro"));
    await get("/api/v1/token", token);
    clock.advance(5 * hourMs);
    const first = windowsOf(await get("/api/v1/servers", token));
    expect(first).toMatchObject({
      limit: 50,
      remaining: 49,
      reset: Math.ceil((clock.now() + dayMs) / secondMs),
    });
    clock.advance(dayMs - 1);
    expect(windowsOf(await get("/api/v1/servers", token))).toMatchObject({
      remaining: 48,
      reset: first.reset,
    });
    clock.advance(1);
    expect(windowsOf(await get("/api/v1/servers", token))).toMatchObject({ remaining: 49 });
  });

  it("[QUO-10] 600 calls in a token's hour, then 429 with Retry-After until the hour from the first is over", async () => {
    await service.close();
    await open({ enterprise: { daily_calls: 10_000 } });
    const token = await service.token(await service.account("enterprise"));
    for (let call = 0; call < 600; call += 1) expect((await get("/api/v1/servers", token)).status).toBe(200);
    clock.advance(hourMs - 1500);
    const refused = await get("/api/v1/servers", token);
    expect([refused.status, refused.json["error"], refused.headers["retry-after"]]).toEqual([
      429,
      "rate_limited",
      "2",
    ]);
    clock.advance(1499);
    expect((await get("/api/v1/servers", token)).status).toBe(429);
    clock.advance(1);
    expect((await get("/api/v1/servers", token)).status).toBe(200);
  });

  it("[QUO-04] [ERR-24] the plan's calls a day, then 429 that says when the window resets", async () => {
    for (const [plan, limit] of [
      ["free", 10],
      ["pro", 50],
      ["hosting", 150],
      ["enterprise", 500],
    ] as const) {
      const token = await service.token(await service.account(plan));
      const resets = new Date(clock.now() + dayMs).toISOString();
      for (let call = 0; call < limit; call += 1)
        expect((await get("/api/v1/servers", token)).status).toBe(200);
      const { status, json, headers } = await get("/api/v1/servers", token);
      expect([status, json["error"], headers["retry-after"]]).toEqual([429, "daily_quota_exceeded", "86400"]);
      expect(json["message"]).toContain(resets);
    }
  });
});

describe("what counts", () => {
  it("[OUR-HTTP-04] 200, 201, 400, 403, 404, 409 and HEAD count once each", async () => {
    const owner = await service.account("enterprise");
    const server = await service.server(owner);
    const token = await service.token(owner);
    const narrow = await service.token(owner, ["servers:read"]);
    const again = await service.linkCode({}, "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11");
    await service.request("POST", "/api/v1/servers/link", { token, body: { code: again.code } });
    const fresh = await service.linkCode({}, "6f1c0c52-8a39-4c5e-9d5b-0c6a3c1f2b11");
    const calls: readonly (readonly [number, () => Promise<Answer>])[] = [
      [200, () => get("/api/v1/servers", token)],
      [200, () => service.request("HEAD", "/api/v1/servers", { token })],
      [201, () => service.request("POST", "/api/v1/server-groups", { token, body: { name: "A" } })],
      [200, () => service.request("POST", "/api/v1/server-groups", { token, body: { name: "A" } })],
      [400, () => get("/api/v1/servers?limit=x", token)],
      [400, () => service.request("PATCH", `/api/v1/servers/${server.id}`, { token, body: "{" })],
      [403, () => get("/api/v1/reports", narrow)],
      [404, () => get("/api/v1/reports/nothing", token)],
      [409, () => service.request("POST", "/api/v1/servers/link", { token, body: { code: fresh.code } })],
    ];
    let day = (await remaining(token)).day;
    for (const [status, call] of calls) {
      expect((await call()).status).toBe(status);
      const left = (await remaining(token)).day;
      expect([status, day - left]).toEqual([status, 1]);
      day = left;
    }
  });

  it("[QUO-06] all tokens of an account share its day, each has its own hour", async () => {
    const owner = await service.account("pro");
    const [one, two] = [await service.token(owner), await service.token(owner)];
    for (let call = 0; call < 3; call += 1) await get("/api/v1/servers", one);
    await get("/api/v1/servers", two);
    expect(await remaining(one)).toEqual({ day: 46, hour: 596 });
    expect(await remaining(two)).toEqual({ day: 46, hour: 598 });
  });

  it("[QUO-09] GET /token counts in the hour alone, HEAD too", async () => {
    const token = await service.token(await service.account("pro"));
    await service.request("HEAD", "/api/v1/token", { token });
    expect(await remaining(token)).toEqual({ day: 50, hour: 598 });
  });

  it("[OUR-QUO-01] a call that one window refuses is counted in neither", async () => {
    await service.close();
    await open({ pro: { daily_calls: 2 }, hosting: { hourly_calls: 2 } });
    const daily = await service.token(await service.account("pro"));
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await get("/api/v1/servers", daily)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await remaining(daily)).toEqual({ day: 0, hour: 597 });
    const owner = await service.account("hosting");
    const hourly = await service.token(owner);
    for (let call = 0; call < 4; call += 1) await get("/api/v1/servers", hourly);
    expect((await remaining(await service.token(owner))).day).toBe(148);
  });

  it("[QUO-05] anonymous calls count on the address at the free tier, answered or not", async () => {
    for (let call = 0; call < 9; call += 1) expect((await get("/api/v1/reports")).status).toBe(200);
    expect((await get("/api/v1/reports?limit=x")).status).toBe(400);
    const { status, json, headers } = await get("/api/v1/reports");
    expect([status, json["error"], headers["retry-after"]]).toEqual([429, "daily_quota_exceeded", "86400"]);
  });

  it("[QUO-08] calls made with a token count, browsing the website while signed in does not", async () => {
    const owner = await service.account("pro");
    const [token, who] = [await service.token(owner), await signedIn(service, owner)];
    const { day } = await remaining(token);
    for (const path of ["/servers", "/reports", "/reports?mine=true", "/alerts", "/settings/security"])
      expect((await who.get(path)).status, path).toBe(200);
    expect((await remaining(token)).day).toBe(day);
    // What an address may do without a token is as it was, too.
    expect(windowsOf(await get("/api/v1/openapi.json"))).toMatchObject({ limit: 10, remaining: 10 });
    await get("/api/v1/reports", token);
    expect((await remaining(token)).day).toBe(day - 1);
  });

  it("[OUR-QUO-02] [OUR-HTTP-04] 401, unknown paths, other methods and pages count nowhere", async () => {
    const token = await service.token(await service.account("pro"));
    for (const path of [
      "/api/v1/servers",
      "/api/v1/reports?mine=true",
      "/api/v1/nothing",
      "/healthz",
      "/api/v1/openapi.json",
    ])
      await get(path);
    await service.request("DELETE", "/api/v1/reports", {});
    await get("/api/v1/reports", "tkm_bad");
    await get("/api/v1/nothing", token);
    await service.request("DELETE", "/api/v1/servers", { token });
    expect(windowsOf(await get("/api/v1/openapi.json"))).toMatchObject({ limit: 10, remaining: 10 });
    expect(await remaining(token)).toEqual({ day: 50, hour: 599 });
  });
});

describe("bad credentials", () => {
  it("[OUR-QUO-02] 30 a minute from one address are 401, the next 429; a good one is not hindered", async () => {
    const token = await service.token(await service.account("enterprise"));
    for (let guess = 0; guess < 30; guess += 1)
      expect((await get("/api/v1/reports", `tkm_${guess}`)).status).toBe(401);
    const { status, json, headers } = await get("/api/v1/reports", "tkm_bad");
    expect([status, json["error"], headers["retry-after"]]).toEqual([429, "rate_limited", "60"]);
    expect(
      (await service.request("POST", "/plugin/v1/heartbeat", { token: "tks_bad", body: {} })).status,
    ).toBe(429);
    expect((await get("/api/v1/reports", token)).status).toBe(200);
    clock.advance(minuteMs);
    expect((await get("/api/v1/reports", "tkm_bad")).status).toBe(401);
  });
});
