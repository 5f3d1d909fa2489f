import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PluginApiError, pluginClient } from "../../src/outbound/plugin-client.ts";
import { until } from "../support/service-process.ts";
import { callRoutes } from "./called-routes.ts";
import { caller, Demo, removeDirectories, rowsOf, type Line, type Plan } from "./child.ts";
import {
  get,
  idOf,
  readMaintenance,
  readMonitored,
  readRules,
  readSoftware,
  rows,
  type Row,
} from "./monitored.ts";
import { patience } from "../support/patience.ts";

const heartbeat = (sentAt: string) => ({
  sent_at: sentAt,
  boot_timestamp: null,
  plugin_version: "1.10.2",
  last_tick_age_ms: 20,
  announce: null,
  sample: { sampled_at: sentAt, tps: 20, mspt: 9.5 },
});

/** What is read until it holds; few calls, for plans have few. */

afterAll(removeDirectories);

// A start of the demo costs ten seconds of processor time, so these tests share one; those that change it are the last.
describe("tickmark demo", () => {
  let demo: Demo;
  let line: Line;
  let readyAt: number;

  beforeAll(async () => {
    const from = performance.now();
    demo = new Demo(["--json", "--port", "0"]);
    line = await demo.line();
    readyAt = performance.now();
    console.log(`ready after ${((readyAt - from) / 1000).toFixed(1)} s`);
  });
  afterAll(() => demo.end("SIGKILL"));

  it("[OUR-DEM-27] has a public status page of all servers of one account", async () => {
    const names = line.servers.filter(({ account }) => account === "enterprise").map(({ name }) => name);
    const response = await fetch(`${line.base_url}/status/demo-network`);
    const text = await response.text();
    expect([response.status, names.length > 3]).toEqual([200, true]);
    for (const name of names) expect(text).toContain(`<bdi>${name}</bdi>`);
  });

  it.each([
    ["pro", "Evergreen Survival"],
    ["hosting", "Foundry SMP"],
    ["enterprise", "Harbour"],
    ["admin", "Operations"],
  ] as const)(
    "[OUR-DEM-16] answers every monitoring read for %s with data of its own",
    async (plan, name) => {
      await readMonitored(line, plan, name);
    },
  );

  it("[OUR-DEM-23] every server has its software, and the slow one updated a plugin", async () => {
    await readSoftware(line);
  });

  it.each([
    [
      "hosting",
      "Foundry SMP",
      { rule_name: "Slow ticks", metric: "mspt", server_state: "running", notified: true },
      { status: "sent", reason: null },
    ],
    [
      "pro",
      "Evergreen Creative",
      { rule_name: "Server is down", metric: "offline", server_state: "stopped", notified: false },
      { status: "skipped", reason: "channel_off" },
    ],
  ] as const)(
    "[OUR-DEM-18] [OUR-DEM-20] has one open alert for %s, on %s, not mailed, and shown in the app where its rule says so",
    async (plan, server, expected, inApp) => {
      const open = await vi.waitFor(
        async () => {
          const found = await rows(line, plan, "/alert-events?status=open");
          expect(found[0]?.["delivery"]).toMatchObject({ email: { status: "skipped" } });
          return found;
        },
        { ...patience, interval: 500 },
      );
      expect(open).toHaveLength(1);
      expect(open[0]).toMatchObject({
        ...expected,
        kind: "threshold",
        status: "open",
        server_id: idOf(line, server),
        delivery: {
          email: { status: "skipped", reason: "not_configured" },
          chat: { status: "skipped", reason: "channel_off" },
          in_app: inApp,
        },
      });
      const { totals } = (await get(line, plan, "/monitoring/overview")) as { totals: Row };
      expect(totals["open_alerts"]).toBe(1);
    },
  );

  it("[OUR-DEM-18] has rules in every state, one of them muted and one switched off", async () => {
    await readRules(line);
  });

  it("[OUR-DEM-19] has one server in maintenance since before the start, and tells nobody of its alert", async () => {
    await readMaintenance(line);
  });

  it("[OUR-AUT-23] [AUT-08] has idle targets and a first job with its report within a minute", async () => {
    const call = caller(line, "enterprise");
    const owls = line.servers.find(({ name }) => name === "Night Owls")?.id;
    let idle = 0;
    for (const plan of ["pro", "hosting", "enterprise"] as const) {
      const targets = rowsOf(await caller(line, plan)("GET", "/auto-bench/targets"));
      expect(targets.length, plan).toBeGreaterThan(0);
      const own = new Set(line.servers.filter(({ account }) => account === plan).map(({ id }) => id));
      for (const target of targets) expect(own).toContain(target["server_id"]);
      idle += targets.filter((target) => target["job_in_flight_id"] === null).length;
    }
    expect(idle).toBeGreaterThanOrEqual(3);
    const job = async () =>
      rowsOf(await call("GET", "/auto-bench/jobs")).find((row) => row["server_id"] === owls);
    // Calls of the account are counted: one every two seconds is enough.
    await until("a job has its report", async () => {
      const [seen] = await Promise.all([job(), new Promise((resolve) => setTimeout(resolve, 2000))]);
      return typeof seen?.["report_id"] === "string";
    });
    console.log(`a job had its report after ${((performance.now() - readyAt) / 1000).toFixed(1)} s`);
    const done = await job();
    const report = await call("GET", `/reports/${String(done?.["report_id"])}`);
    expect(report.body).toMatchObject({ source: "auto_bench", server_id: done?.["server_id"] });
  });

  it("[OUR-DEM-01] prints where it is, five accounts and their servers, once all of it answers", async () => {
    expect(line.mcp_url).toBe(`${line.base_url}/mcp`);
    expect((await fetch(`${line.base_url}/healthz`)).status).toBe(200);
    expect(new Set(line.servers.map(({ account }) => account))).toEqual(new Set(Object.keys(line.accounts)));
    expect(new Set(line.servers.map(({ id }) => id)).size).toBe(line.servers.length);
  });

  it("[OUR-DEM-03] leaves one enterprise server of three or more that never made contact and takes data later", async () => {
    const call = caller(line, "enterprise");
    const own = line.servers.filter(({ account }) => account === "enterprise");
    expect(own.length).toBeGreaterThanOrEqual(3);
    const rows = rowsOf(await call("GET", "/servers")).filter((row) => row["owned_by_you"] === true);
    const silent = rows.filter((row) => row["verified"] === false);
    expect(silent).toHaveLength(1);
    const server = own.find(({ id }) => id === silent[0]?.["id"]);
    expect((await call("GET", `/servers/${server?.id}/status`)).body).toMatchObject({
      state: "never_seen",
      current: null,
    });
    const answer = await pluginClient(line.base_url, server?.auth_token).heartbeat(
      heartbeat(new Date().toISOString()),
    );
    expect(answer.accepted).toBe(true);
    expect((await call("GET", `/servers/${server?.id}/status`)).body).toMatchObject({ state: "running" });
  });

  it("[OUR-DEM-04] has a live fleet: running, stopped cleanly, paused while empty, with regions, and an old plugin", async () => {
    const bodies = await Promise.all(
      line.servers
        .filter(({ account }) => ["pro", "hosting", "enterprise"].includes(account))
        .map(
          async ({ id, account }) =>
            (await caller(line, account as Plan)("GET", `/servers/${id}/status`)).body,
        ),
    );
    const states = bodies.map((body) => body["state"]);
    for (const state of ["running", "stopped", "paused_empty"]) expect(states).toContain(state);
    const samples = bodies.flatMap((body) =>
      body["current"] === null ? [] : [body["current"] as Record<string, unknown>],
    );
    expect(samples.some((sample) => sample["region_source"] === "folia_regions")).toBe(true);
    expect(samples.some((sample) => sample["mspt"] !== null && sample["paused_empty"] === null)).toBe(true);
  });

  it.each([
    ["free", false],
    ["pro", true],
    ["hosting", true],
    ["enterprise", true],
    ["admin", true],
  ] as const)(
    "[OUR-DEM-02] answers the documented routes with data of its own for the token of %s",
    async (plan, writesToo) => {
      await callRoutes(line, plan, writesToo);
    },
  );

  it("[OUR-DEM-21] has single tests of every account, and offers with evidence of every kind, some contested", async () => {
    const offers = rowsOf(await caller(line, "admin")("GET", "/offers"));
    const kinds = offers.map(({ evidence, contested }) => `${String(evidence)} ${String(contested)}`);
    expect(offers.length).toBeGreaterThanOrEqual(4);
    expect(kinds[0]).toMatch(/^certified /);
    for (const kind of ["linked true", "none false", "none true"]) expect(kinds).toContain(kind);
    const evidence = new Set(offers.map((offer) => offer["evidence"]));
    expect(evidence).toEqual(new Set(["certified", "measured", "linked", "none"]));
    for (const account of ["pro", "enterprise"] as const) {
      const tests = rowsOf(await caller(line, account)("GET", "/unit-tests?mine=true"));
      expect(new Set(tests.map((row) => row["benchmark_mode"]))).toEqual(new Set(["standard", "tier"]));
    }
  });

  it("[OUR-DEM-21] [OFF-02] measures one offer by a job of the operator, under --still too", async () => {
    const call = caller(line, "admin");
    const measured = rowsOf(await call("GET", "/offers?evidence=measured"));
    expect(measured).toHaveLength(1);
    const report = (measured[0]?.["report"] as { id: string } | undefined)?.id ?? "none";
    expect((await call("GET", `/reports/${report}`)).body).toMatchObject({
      visibility: "public",
      source: "auto_bench",
    });
    const targets = rowsOf(await call("GET", "/auto-bench/targets?include_internal=true"));
    expect(targets).toContainEqual(
      expect.objectContaining({
        kind: "one_off",
        internal: true,
        last_job: expect.objectContaining({ status: "succeeded", report_id: report }) as unknown,
      }),
    );
  });

  it("tells a refused upload by its status and body", async () => {
    const { auth_token: credential } = line.servers.find(({ account }) => account === "admin") ?? {
      auth_token: "",
    };
    const refused = pluginClient(line.base_url, credential).samples([{ sampled_at: "yesterday" }]);
    await expect(refused).rejects.toMatchObject({ status: 400, body: { error: "validation_error" } });
    await expect(pluginClient(line.base_url, "tks_no").samples([])).rejects.toBeInstanceOf(PluginApiError);
  });

  it("[OUR-DEM-05] [OUR-PRC-24] prints nothing else, and ends on SIGTERM with status 0 and nothing left behind", async () => {
    expect(readdirSync(demo.temporary)).toHaveLength(1);
    const { status, stdout, stderr } = await demo.endHeldUp("SIGTERM", line, "");
    // Calls of the tests without a right credential are told to the operator.
    const others = stderr
      .split("\n")
      .filter((told) => told !== "" && !told.includes("an attempt was refused"));
    expect({ status, others }).toEqual({ status: 0, others: [] });
    expect(stdout.split("\n")).toEqual([JSON.stringify(line), ""]);
    expect(readdirSync(demo.temporary)).toEqual([]);
  });
});
