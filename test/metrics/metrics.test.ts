import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counter, Histogram, Registry } from "prom-client";
import { requestCounter } from "../../src/metrics/request-metrics.ts";
import { tools } from "../../tools/registry.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";

const token = "a-token-of-this-test";
const bearer = { headers: { authorization: `Bearer ${token}` } };
const settings = { TICKMARK_METRICS_TOKEN: token };

const seriesOf = (text: string): string[] => text.split("\n").filter((line) => /^[a-z]/.test(line));

/** The value of the series that begins so. */
const valueOf = (text: string, series: string): number =>
  Number(
    seriesOf(text)
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1) ?? Number.NaN,
  );

describe("/metrics", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ plans: roomyPlans, settings });
  });
  afterAll(() => service.close());

  const scrape = async (): Promise<string> => (await service.request("GET", "/metrics", bearer)).text;

  it("[OUR-OPS-01] needs the token, and counts in no window", async () => {
    const refused = await service.request("GET", "/metrics");
    expect([refused.status, refused.json["error"]]).toEqual([401, "unauthorized"]);
    expect((await service.request("GET", "/metrics", { token: "wrong" })).status).toBe(401);
    const { status, headers } = await service.request("GET", "/metrics", bearer);
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  it("[OUR-OPS-02] tells requests, tools, what was stored, the database, jobs, and the process", async () => {
    const owner = await service.account();
    const { credential, id } = await service.server(owner);
    const secret = await service.token(owner);
    const before = await scrape();
    await service.request("GET", `/api/v1/servers/${id}/status`, { token: secret });
    await service.request("GET", "/api/v1/nothing-here", { token: secret });
    const events = [1, 2].map((number) => ({
      local_id: `event-${number}`,
      type: "tempban",
      category: "moderation",
      source: "LiteBans",
      severity: "warning",
      title: "A player was banned",
      timestamp: null,
    }));
    const sent = await service.request("POST", "/plugin/v1/events", { token: credential, body: { events } });
    expect(sent.json).toMatchObject({ stored: 2 });
    const call = (name: string) =>
      service.request("POST", "/mcp", {
        token: secret,
        headers: { accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } },
      });
    await call("get_token_info");
    await call("a_tool_of_this_test");
    await service.service.work.run();
    const after = await scrape();
    const added = (series: string): number => valueOf(after, series) - (valueOf(before, series) || 0);
    expect(added('tickmark_http_requests_total{route="/api/v1/servers/:id/status",status="200"}')).toBe(1);
    expect(added('tickmark_http_requests_total{route="none",status="404"}')).toBe(1);
    expect(added('tickmark_http_request_duration_seconds_count{route="/api/v1/servers/:id/status"}')).toBe(1);
    expect(added('tickmark_ingested_total{call="events.send"}')).toBe(2);
    expect(added('tickmark_mcp_tool_calls_total{tool="get_token_info",outcome="done"}')).toBe(1);
    expect(added('tickmark_mcp_tool_calls_total{tool="unknown",outcome="failed"}')).toBe(1);
    expect(added('tickmark_database_duration_seconds_count{operation="read"}')).toBeGreaterThan(1);
    expect(valueOf(after, 'tickmark_job_runs_total{task="sweep"}')).toBeGreaterThan(0);
    expect(valueOf(after, "tickmark_database_up")).toBe(1);
    expect(valueOf(after, 'tickmark_deliveries_waiting{channel="email"}')).toBe(0);
    expect(after).toMatch(
      /^tickmark_build_info\{version="\d+\.\d+\.\d+",node="v[\d.]+",database="sqlite"\} 1$/m,
    );
    expect(valueOf(after, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(valueOf(after, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    for (const secretive of [id, owner.id, owner.email, "Lobby"]) expect(after).not.toContain(secretive);
    expect(service.defects).toEqual([]);
  });
});

it("[OUR-OPS-03] every route with every status, every tool and other requests are at most 2,000 series", async () => {
  const service = await startTestService({ settings });
  const routes = Array.from({ length: 10_000 }, (_, number) => `/api/v1/servers/:id/of-later-${number}`);
  const { meter } = service.app;
  for (const { definition } of tools)
    for (const outcome of ["done", "refused", "failed"] as const)
      meter.toolCalled(definition.name, outcome, 1);
  // The registry of the service is not at hand, so its requests are counted in one beside it.
  const register = new Registry();
  const count = requestCounter(
    new Counter({ name: "requests", help: "x", labelNames: ["route", "status"], registers: [register] }),
    new Histogram({
      name: "seconds",
      help: "x",
      labelNames: ["route"],
      buckets: [1, 2, 3, 4, 5],
      registers: [register],
    }),
  );
  for (const route of [null, ...routes])
    for (let status = 200; status < 520; status += 20) count(route, status, 1);
  const series =
    seriesOf(await register.metrics()).length +
    seriesOf((await service.request("GET", "/metrics", bearer)).text).length;
  console.log(`${series} series`);
  expect(series).toBeGreaterThan(1000);
  expect(series).toBeLessThanOrEqual(2000);
  await service.close();
});

it("[OUR-OPS-04] a scrape is answered while the database is away", async () => {
  const service = await startTestService({ settings });
  await service.service.database.close();
  const { status, text } = await service.request("GET", "/metrics", bearer);
  expect(status).toBe(200);
  expect(valueOf(text, "tickmark_database_up")).toBe(0);
  await service.service.http.close();
});

it("[OUR-OPS-01] is an unknown path, and nothing is measured, unless it is switched on", async () => {
  const service = await startTestService();
  expect((await service.request("GET", "/metrics", bearer)).status).toBe(404);
  expect(service.service.metricsPort).toBeNull();
  await service.close();
});
