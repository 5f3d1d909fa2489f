import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiEndpoints } from "../../src/endpoints/api/registry.ts";
import { pluginEndpoints } from "../../src/endpoints/plugin/registry.ts";
import { apiLimits } from "../../src/contract/limits/body-limits.ts";
import {
  roomyPlans,
  startTestService,
  type Answer,
  type Asked,
  type TestService,
} from "../support/service.ts";
import { windowsOf } from "../endpoints/access/windows-of.ts";

let service: TestService;
let token: string;
let serverId: string;
let noScope: string;

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans });
  const owner = await service.account();
  serverId = (await service.server(owner)).id;
  token = await service.token(owner);
  noScope = await service.token(owner, []);
});
afterAll(() => service.close());

/** One request for every way an answer can come about, with the status it has. */
const everyWay = (): readonly (readonly [number, string, string, Asked?])[] => [
  [200, "GET", "/api/v1/reports"],
  [200, "GET", "/api/v1/servers", { token }],
  [200, "HEAD", "/api/v1/servers", { token }],
  [201, "POST", "/api/v1/server-groups", { token, body: { name: "A" } }],
  [400, "GET", "/api/v1/servers?limit=0x10", { token }],
  [400, "PATCH", `/api/v1/servers/${serverId}`, { token, body: "{bad" }],
  [400, "PATCH", `/api/v1/servers/${serverId}`, { token, body: { foo: 1 } }],
  [401, "GET", "/api/v1/servers"],
  [401, "GET", "/api/v1/reports", { token: "tkm_bad" }],
  [401, "GET", "/api/v1/reports?mine=true"],
  [403, "GET", "/api/v1/servers", { token: noScope }],
  [404, "GET", "/api/v1/reports/nothing", { token }],
  [404, "GET", "/api/v1/nothing"],
  [404, "GET", "/nothing", { token }],
  [404, "GET", "/api/v1/servers/", { token }],
  [404, "GET", "/api/v1/reports/%E0%A4%A"],
  [404, "POST", "/api/v1/nothing", { headers: { "content-type": "no type" }, body: "x" }],
  [405, "DELETE", "/api/v1/servers", { token }],
  [405, "OPTIONS", "/api/v1/servers"],
  [413, "PATCH", `/api/v1/servers/${serverId}`, { token, body: " ".repeat(apiLimits.bytes + 1) }],
  [200, "GET", "/api/v1/openapi.json"],
];

const rateHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-window"];

describe("headers of every answer", () => {
  it("[QUO-02] [QUO-03] the four rate headers and the IETF pair stand on every answer, errors included", async () => {
    for (const [status, method, path, asked] of everyWay()) {
      const answer = await service.request(method, path, asked);
      expect([method, path, answer.status]).toEqual([method, path, status]);
      for (const name of rateHeaders) expect(answer.headers[name], `${method} ${path} ${name}`).toBeDefined();
      const { limit, remaining, reset, window } = windowsOf(answer);
      expect(["day", "hour"]).toContain(window);
      expect(Number.isInteger(limit) && Number.isInteger(remaining) && remaining <= limit).toBe(true);
      expect(reset).toBeGreaterThan(Date.now() / 1000 - 1);
      expect(answer.headers["ratelimit-policy"]).toMatch(/^"day";q=\d+;w=86400/);
      expect(answer.headers["ratelimit"]).toMatch(/^"day";r=\d+;t=\d+/);
    }
    expect(service.defects).toEqual([]);
  });

  it("[OUR-HTTP-01] each has its own X-Request-Id, no-store, and no CORS header", async () => {
    const ids = new Set<string>();
    for (const [, method, path, asked] of everyWay()) {
      const { headers } = await service.request(method, path, asked);
      expect(headers["cache-control"]).toBe("no-store");
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      ids.add(String(headers["x-request-id"]));
    }
    expect(ids.size).toBe(everyWay().length);
    expect(ids.has("undefined")).toBe(false);
  });

  it("[OUR-HTTP-01] an X-Request-Id of the caller is not taken over", async () => {
    const { headers } = await service.request("GET", "/healthz", { headers: { "x-request-id": "mine" } });
    expect(headers["x-request-id"]).not.toBe("mine");
  });

  it("[ERR-01] every error body has a stable code and prose", async () => {
    for (const [status, method, path, asked] of everyWay()) {
      if (status < 400) continue;
      const { json, headers } = await service.request(method, path, asked);
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(json).toMatchObject({
        error: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/\.$/),
      });
    }
  });

  it("[OUR-HTTP-01] every 401 says how to authenticate", async () => {
    for (const [status, method, path, asked] of everyWay()) {
      const { headers } = await service.request(method, path, asked);
      if (status === 401) expect(headers["www-authenticate"]).toMatch(/^Bearer( error="invalid_token"|$)/);
      else expect(headers["www-authenticate"]).toBeUndefined();
    }
  });

  it("[QUO-03] an answer that reached no endpoint tells a token's own windows, else the address's", async () => {
    const enterprise = await service.token(await service.account("enterprise"));
    for (const [method, path] of [
      ["GET", "/api/v1/nothing"],
      ["DELETE", "/api/v1/servers"],
    ] as const) {
      const own = await service.request(method, path, { token: enterprise });
      expect(own.headers["ratelimit-policy"]).toContain('"hour"');
      const bad = await service.request(method, path, { token: "tkm_bad" });
      expect(bad.headers["ratelimit-policy"]).not.toContain('"hour"');
    }
  });
});

describe("paths and methods", () => {
  const mounted = [
    { path: "/healthz", method: "GET" },
    { path: "/api/v1/openapi.json", method: "GET" },
    { path: "/plugin/v1/openapi.json", method: "GET" },
    ...apiEndpoints.map(({ path, method }) => ({ path: `/api/v1${path}`, method })),
    ...pluginEndpoints.map(({ path, method }) => ({ path: `/plugin/v1${path}`, method })),
  ].map(({ path, method }) => ({ path: path.replaceAll(/\{\w+\}/g, "x"), method }));

  /** The methods of a path; one that is spelt out is no longer one of those with a placeholder. */
  const methodsOf = (path: string): Set<string> => {
    const methods = mounted.filter((route) => route.path === path).map(({ method }) => method);
    return new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods);
  };

  it("[OUR-HTTP-02] a path takes its methods alone: any other is 405 with Allow", async () => {
    let tried = 0;
    for (const path of new Set(mounted.map((route) => route.path))) {
      const allowed = methodsOf(path);
      for (const method of METHODS) {
        if (allowed.has(method) || method === "CONNECT") continue;
        const answer = await service.request(method, path, { token });
        tried += 1;
        expect([method, path, answer.status]).toEqual([method, path, 405]);
        if (method !== "HEAD") expect(answer.json["error"]).toBe("method_not_allowed");
        expect(new Set(String(answer.headers["allow"]).split(", "))).toEqual(allowed);
      }
    }
    console.log(`methods a path does not take: ${tried} requests, all 405`);
  });

  it("[OUR-HTTP-02] HEAD answers what GET answers, without the body", async () => {
    for (const [path, asked] of [
      ["/api/v1/servers", { token }],
      ["/api/v1/servers?limit=0", { token }],
      ["/healthz", {}],
    ] as const) {
      const [get, head] = [
        await service.request("GET", path, asked),
        await service.request("HEAD", path, asked),
      ];
      expect(head.text).toBe("");
      expect([head.status, head.headers["content-type"], head.headers["content-length"]]).toEqual([
        get.status,
        get.headers["content-type"],
        get.headers["content-length"],
      ]);
    }
  });

  it("[OUR-HTTP-02] a body over 256 KiB is 413, announced or in chunks, and nothing is kept of it", async () => {
    const body = Buffer.from(JSON.stringify({ name: "x".repeat(apiLimits.bytes) }));
    const path = `/api/v1/servers/${serverId}`;
    const announced = await service.request("PATCH", path, { token, body });
    const chunked = await service.request("PATCH", path, {
      token,
      body,
      headers: { "content-length": [], "transfer-encoding": "chunked" },
    });
    for (const { status, json } of [announced, chunked])
      expect([status, json["error"]]).toEqual([413, "too_large"]);
    const list: Answer = await service.request("GET", "/api/v1/servers", { token });
    expect(list.text).not.toContain("xxx");
  });
});

describe("pages beside the endpoints", () => {
  it("[OUR-HTTP-02] [OUR-ERR-01] a body that is too long is told after the credential, and counted", async () => {
    const body = " ".repeat(apiLimits.bytes + 1);
    const path = `/api/v1/servers/${serverId}`;
    expect((await service.request("PATCH", path, { body })).json["error"]).toBe("unauthorized");
    expect((await service.request("PATCH", path, { body, token: "tkm_bad" })).json["error"]).toBe(
      "invalid_token",
    );
    const before = await service.request("GET", "/api/v1/token", { token });
    const refused = await service.request("PATCH", path, { body, token });
    expect([refused.status, refused.json["error"], refused.json["limit"]]).toEqual([
      413,
      "too_large",
      apiLimits.bytes,
    ]);
    const used = (answer: typeof before): number =>
      (answer.json["limits"] as { daily: { used: number } }).daily.used;
    expect(used(await service.request("GET", "/api/v1/token", { token }))).toBe(used(before) + 1);
  });

  it("[VER-01] [OUR-HTTP-03] openapi.json and healthz need no token and count nowhere", async () => {
    const before = windowsOf(await service.request("GET", "/api/v1/openapi.json"));
    const document = await service.request("GET", "/api/v1/openapi.json");
    expect(document.json).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.0" } });
    expect(Object.keys(document.json["paths"] as object)).toHaveLength(
      new Set(apiEndpoints.map(({ path }) => path)).size,
    );
    const health = await service.request("GET", "/healthz");
    expect(health.json).toEqual({ status: "ok" });
    for (const name of rateHeaders) expect(health.headers[name]).toBeUndefined();
    expect(windowsOf(document).remaining).toBe(before.remaining);
  });

  it("[OUR-HTTP-03] healthz is 503 with Retry-After while the database does not answer", async () => {
    const lone = await startTestService();
    await lone.service.database.close();
    const { status, json, headers } = await lone.request("GET", "/healthz");
    expect([status, json["error"]]).toEqual([503, "unavailable"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    for (const name of rateHeaders) expect(headers[name]).toBeUndefined();
    await lone.service.http.close();
  });
});
