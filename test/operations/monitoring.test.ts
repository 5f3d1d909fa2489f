import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { hasProgram, type RunningProgram } from "../support/programs.ts";
import {
  monitoringFolder,
  prometheusApi,
  prometheusQuery,
  prometheusRules,
  startPrometheus,
} from "../support/prometheus.ts";
import { roomyPlans, startTestService, type TestService } from "../support/service.ts";
import { until } from "../support/service-process.ts";

const folder = monitoringFolder;
const scratch = mkdtempSync(join(tmpdir(), "tickmark-monitoring-"));
const token = "a-token-for-scrapes";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly gridPos: Readonly<Record<"h" | "w" | "x" | "y", number>>;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readFileSync(join(folder, "grafana-dashboard.json"), "utf8")) as {
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = readFileSync(join(folder, "tickmark-alerts.yml"), "utf8");
const ruleNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? "");

/** As Grafana would send it. */
const filledIn = (expr: string): string =>
  expr.replaceAll("$job", "tickmark").replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");

let service: TestService;
let metrics: string;
beforeAll(async () => {
  service = await startTestService({
    plans: roomyPlans,
    settings: { TICKMARK_METRICS_PORT: "0", TICKMARK_METRICS_TOKEN: token },
  });
  metrics = `http://127.0.0.1:${service.service.metricsPort}/metrics`;
});
afterAll(async () => {
  await service.close();
  rmSync(scratch, { recursive: true, force: true });
});

const authorization = `Bearer ${token}`;

it("[OUR-OPS-01] metrics with a port of their own are there alone, and need the token", async () => {
  expect((await service.request("GET", "/metrics")).status).toBe(404);
  const refused = await fetch(metrics);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  const post = await fetch(metrics, { method: "POST", headers: { authorization } });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(metrics.replace("metrics", "healthz"), { headers: { authorization } })).status).toBe(
    404,
  );
  const answer = await fetch(metrics, { headers: { authorization } });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("tickmark_build_info");
});

it("[OUR-OPS-05] the rules and the dashboard name only metrics that the service has", async () => {
  const text = await (await fetch(metrics, { headers: { authorization } })).text();
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const named = [...[...queries, rules].join("\n").matchAll(/\b(?:tickmark|nodejs|process)_[a-z_0-9]+/g)];
  const names = [...new Set(named.map(([name]) => name))];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it("[OUR-OPS-05] the dashboard is laid out without overlaps, and uses the variables that it declares", () => {
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const cells = new Set<string>();
  for (const { gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(x).toBeLessThan(24);
        expect(cells.has(`${x} ${y}`)).toBe(false);
        cells.add(`${x} ${y}`);
      }
  const declared = dashboard.templating.list.map(({ name }) => name);
  const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
  expect(used.filter((name) => ![...declared, "__rate_interval"].includes(name))).toEqual([]);
});

const hasPrometheus = hasProgram("prometheus", "--version") && hasProgram("promtool", "--version");

describe.skipIf(!hasPrometheus)("Prometheus of the distribution", () => {
  let prometheus: RunningProgram;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    const { metricsPort } = service.service;
    prometheus = startPrometheus({
      folder: scratch,
      port,
      metricsPort: metricsPort ?? 0,
      token,
      every: "1s",
    });
  });
  afterAll(() => prometheus.stop());

  it("[OUR-OPS-05] promtool finds nothing wrong in the rules and in what is scraped", async () => {
    const checked = spawnSync("promtool", ["check", "rules", join(folder, "tickmark-alerts.yml")], {
      encoding: "utf8",
    });
    expect(checked.stderr + checked.stdout).toContain(`SUCCESS: ${ruleNames.length} rules found`);
    const text = await (await fetch(metrics, { headers: { authorization } })).text();
    const linted = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    // Node.js's own metrics are named by prom-client, and some of their names break promtool's conventions.
    expect(linted.stderr.split("\n").filter((line) => line.startsWith("tickmark_"))).toEqual([]);
  });

  it("[OUR-OPS-05] it scrapes the service, evaluates every rule, and takes every query of the dashboard", async () => {
    const evaluated = async (): Promise<boolean> => {
      try {
        const found = await prometheusRules(port);
        return found.length === ruleNames.length && found.every(({ health }) => health === "ok");
      } catch {
        return false;
      }
    };
    await until("Prometheus evaluates every rule", evaluated);
    await until(
      "Prometheus scrapes the service",
      async () => (await prometheusQuery(port, 'tickmark_build_info{job="tickmark"}')).length === 1,
    );
    for (const query of queries) {
      const { status } = await prometheusApi(port, `/query?query=${encodeURIComponent(filledIn(query))}`);
      expect([query, status]).toEqual([query, "success"]);
    }
    expect(service.defects).toEqual([]);
  });
});
