import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PluginApiError, pluginClient } from "../../src/outbound/plugin-client.ts";
import { requestText } from "../support/raw-client.ts";
import { caller, Demo, removeDirectories, rowsOf, type Ended, type Line, type Plan } from "./child.ts";

const portAndSecond = { TICKMARK_PORT: "0", TICKMARK_STOP_SECONDS: "1" };
const heartbeat = (sentAt: string) => ({
  sent_at: sentAt,
  boot_timestamp: null,
  plugin_version: "1.10.2",
  last_tick_age_ms: 20,
  announce: null,
  sample: { sampled_at: sentAt, tps: 20, mspt: 9.5 },
});

/** Every documented route once; a plan of ten calls a day has none left for the last two. */
async function walk(line: Line, plan: Plan, writesToo: boolean): Promise<void> {
  const call = caller(line, plan);
  const own = line.servers.filter(({ account }) => account === plan);
  const server = own[0]?.id ?? "";

  const token = await call("GET", "/token");
  expect(token.status).toBe(200);
  expect(token.body["available_scopes"]).toHaveLength(11);

  const servers = rowsOf(await call("GET", "/servers"));
  for (const { id, name } of own)
    expect(servers).toContainEqual(expect.objectContaining({ id, name, owned_by_you: true }));
  const groups = rowsOf(await call("GET", "/server-groups"));
  expect(groups).toHaveLength(2);
  expect(groups.reduce((sum, group) => sum + Number(group["server_count"]), 0)).toBe(own.length);
  const status = await call("GET", `/servers/${server}/status`);
  expect(status.body["state"]).toBe(plan === "free" ? "not_monitored" : "running");

  const reports = rowsOf(await call("GET", "/reports?mine=true"));
  expect(reports.length).toBeGreaterThanOrEqual(2);
  const scored = reports.filter((report) => report["benchmark_mode"] === "standard");
  const [base, other] = scored.map((report) => String(report["short_id"]));
  expect(await call("GET", `/reports/${base}`)).toMatchObject({ status: 200, body: { short_id: base } });
  const compared = await call("GET", `/reports/compare?base=${base}&other=${other}`);
  expect(compared.status).toBe(200);
  expect(JSON.stringify(compared.body)).toContain("total");
  const described = await call("PATCH", `/reports/${base}`, { description: "Seen by a test." });
  expect(described).toMatchObject({ status: 200, body: { description: "Seen by a test." } });

  const group = String(groups[1]?.["id"]);
  expect(await call("PUT", `/servers/${server}/group`, { group_id: group })).toMatchObject({
    status: 200,
    body: { group_id: group },
  });
  const installation = crypto.randomUUID();
  const { code } = await pluginClient(line.base_url).requestLinkCode({ installation_id: installation });
  expect(await call("POST", "/servers/link", { code, name: "Late" })).toMatchObject({
    status: 201,
    body: { name: "Late" },
  });
  expect(await call("POST", "/server-groups", { name: "New" })).toMatchObject({
    status: 201,
    body: { name: "New" },
  });
  if (!writesToo) return;
  expect(await call("PATCH", `/server-groups/${group}`, { color: "pink" })).toMatchObject({
    status: 200,
    body: { color: "pink" },
  });
  expect(await call("PATCH", `/servers/${server}`, { is_public: true })).toMatchObject({
    status: 200,
    body: { is_public: true },
  });
}

afterAll(removeDirectories);

describe("tickmark demo", () => {
  let demo: Demo;
  let line: Line;
  let readyMs: number;

  beforeAll(async () => {
    const from = performance.now();
    demo = new Demo(["--json", "--port", "0"]);
    line = await demo.line();
    readyMs = performance.now() - from;
  });
  afterAll(() => demo.end("SIGKILL"));

  it("[OUR-DEM-01] prints where it is, five accounts and their servers, once all of it answers", async () => {
    console.log(`ready after ${(readyMs / 1000).toFixed(1)} s`);
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
      await walk(line, plan, writesToo);
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

  it("[OUR-DEM-13] tells a refused upload by its status and body", async () => {
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
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([JSON.stringify(line), ""]);
    expect(readdirSync(demo.temporary)).toEqual([]);
  });
});

describe("tickmark demo --still --data", () => {
  let first: Demo;
  let firstEnd: Ended & { afterMs: number };
  let second: Demo;
  let words: string;
  let states: unknown[];
  const inFirst = (name: string): string => join(first.temporary, "kept", name);
  const rowsIn = <Row>(statement: string): Row[] => {
    const database = new Sqlite(inFirst("demo-1.db"), { readonly: true });
    const rows = database.prepare<[], Row>(statement).all();
    database.close();
    return rows;
  };

  beforeAll(async () => {
    first = new Demo(["--json", "--still", "--data", "kept"], portAndSecond);
    const line = await first.line();
    const call = caller(line, "enterprise");
    const ids = line.servers.filter(({ account }) => account === "enterprise").map(({ id }) => id);
    states = await Promise.all(
      ids.map(async (id) => (await call("GET", `/servers/${id}/status`)).body["state"]),
    );
    firstEnd = await first.endHeldUp(
      "SIGINT",
      line,
      requestText("POST", "/plugin/v1/link-codes", {}, "{", 9),
    );
    second = new Demo(["--still", "--port", "0", "--data", inFirst("")]);
    words = await second.printed();
  });
  afterAll(() => second.end("SIGKILL"));

  it("[OUR-DEM-06] has seen each server when its last sample was, and hears of none after that", () => {
    const seen = rowsIn<{ name: string; heartbeat: number | null; measured: number | null }>(
      `SELECT s.name, s.last_heartbeat AS heartbeat, max(m.sampled_at) AS measured
        FROM server AS s LEFT JOIN sample AS m ON m.server_id = s.id GROUP BY s.id`,
    );
    expect(seen).toHaveLength(16);
    for (const { name, heartbeat, measured } of seen) expect(heartbeat, name).toBe(measured);
    expect(states.filter((state) => state === "never_seen")).toHaveLength(1);
  });

  it("[OUR-DEM-07] [OUR-PRC-26] ends in time, keeps its database, and makes a new one beside it at the next start", async () => {
    expect(firstEnd.status).toBe(0);
    expect(firstEnd.afterMs).toBeLessThan(3500);
    const kept = readFileSync(inFirst("demo-1.db"));
    expect(words).toContain(inFirst("demo-2.db"));
    expect((await second.end()).status).toBe(0);
    expect(readFileSync(inFirst("demo-1.db")).equals(kept)).toBe(true);
    expect(readdirSync(inFirst("")).filter((name) => name.endsWith(".db"))).toEqual([
      "demo-1.db",
      "demo-2.db",
    ]);
  });

  it("[OUR-DEM-08] fills the last 24 hours at 30 s for every monitored server, but for the time it was cut off, down or hung", () => {
    const counts = rowsIn<{ name: string; count: number }>(
      "SELECT s.name, count(m.server_id) AS count FROM server AS s LEFT JOIN sample AS m ON m.server_id = s.id GROUP BY s.id",
    );
    const ofName = Object.fromEntries(counts.map(({ name, count }) => [name, count]));
    expect(ofName).toMatchObject({
      Backyard: 0,
      "Spare Blade": 0,
      "Evergreen Survival": 2880 - 42,
      Archipelago: 2880,
      Lighthouse: 2880 - 76,
      Quarry: 2880 - 24,
    });
    expect(counts.filter(({ count }) => count > 2800)).toHaveLength(13);
  });

  it("[OUR-DEM-14] tells a person the address, a sign-in, a token, one curl line and one for an MCP client", () => {
    const token = /tkm_[0-9A-Za-z]{49}/.exec(words)?.[0] ?? "missing";
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(words)?.[0] ?? "missing";
    expect(words).toContain(`Dashboard  ${address}/sign-in\n`);
    expect(words).toMatch(/Sign in {4}enterprise@demo\.tickmark\.example {2}\S{22}\n/);
    expect(words).toContain(`curl -H "Authorization: Bearer ${token}" ${address}/api/v1/servers\n`);
    expect(words).toContain(
      `claude mcp add --transport http tickmark ${address}/mcp --header "Authorization: Bearer ${token}"\n`,
    );
  });
});
