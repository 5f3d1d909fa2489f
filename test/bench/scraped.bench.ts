import { Agent } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eachDatabase } from "../support/databases.ts";
import { makeFleet } from "../support/fleet.ts";
import { freePort } from "../support/free-port.ts";
import { manyCalls, mixedRequests, sendRequest, signedInSession } from "../support/mixed-load.ts";
import { hasProgram } from "../support/programs.ts";
import {
  prometheusQuery,
  prometheusRules,
  startPrometheus,
  type PrometheusSeries,
} from "../support/prometheus.ts";
import { startServiceProcess, until } from "../support/service-process.ts";

/** For how long the service is scraped under load, s; how many requests a second, and servers linked beside. */
const seconds = Number(process.env["BENCH_SECONDS"] ?? 120);
const perSecond = Number(process.env["BENCH_RATE"] ?? 50);
const serversBeside = Number(process.env["BENCH_SERVERS"] ?? 1000);

/** The scrape interval of the shipped configuration, s. */
const scrapeSeconds = 15;

const routeOf: Readonly<Record<string, string>> = {
  heartbeat: "/plugin/v1/heartbeat",
  status: "/api/v1/servers/:id/status",
  overview: "/api/v1/monitoring/overview",
  tool: "/mcp",
};

const sum = (series: readonly PrometheusSeries[]): number =>
  series.reduce((total, { value }) => total + Number(value?.[1] ?? 0), 0);

/** The longest time between two samples of a series, s. */
const longestGap = ({ values = [] }: PrometheusSeries): number =>
  Math.max(...values.slice(1).map(([at], place) => at - (values[place]?.[0] ?? at)));

eachDatabase(
  (databases) => {
    describe.skipIf(!hasProgram("prometheus", "--version"))("Prometheus of the distribution", () => {
      it("scrapes a loaded service: failures, gaps, series, rules, and counters beside what was sent", async () => {
        const url = await databases.url();
        const folder = mkdtempSync(join(tmpdir(), "tickmark-scraped-"));
        const fleet = await makeFleet(url, 17, "enterprise");
        const session = await signedInSession(url);
        const beside = await makeFleet(url, serversBeside, "enterprise");
        const [metricsPort, port] = [await freePort(), await freePort()];
        const service = await startServiceProcess({
          TICKMARK_DATABASE_URL: url,
          TICKMARK_SECRET: "a secret of this bench",
          TICKMARK_METRICS_PORT: String(metricsPort),
          TICKMARK_PLANS: manyCalls(folder),
        });
        const prometheus = startPrometheus({ folder, port, metricsPort });
        const agent = new Agent({ keepAlive: true, maxSockets: 100 });
        try {
          const reads = mixedRequests(fleet, session);
          const beats = mixedRequests({ ...fleet, servers: beside.servers }, session);
          const sent: Record<string, number> = {};
          const failed: Record<string, number> = {};
          const servicePort = Number(new URL(service.baseUrl).port);
          const follow = async (turn: number): Promise<void> => {
            const asked = turn % 20 < 14 && turn % 2 === 0 ? beats(turn) : reads(turn);
            const reason = await sendRequest(agent, servicePort, asked);
            const route = routeOf[asked.kind] ?? asked.path;
            sent[route] = (sent[route] ?? 0) + 1;
            if (reason !== null) failed[`${route}: ${reason}`] = (failed[`${route}: ${reason}`] ?? 0) + 1;
          };
          await until("Prometheus scrapes", async () =>
            prometheusQuery(port, "tickmark_build_info").then(
              ({ length }) => length > 0,
              () => false,
            ),
          );
          const answers: Promise<void>[] = [];
          const began = performance.now();
          for (let turn = 0; turn < seconds * perSecond; turn += 1) {
            const due = began + (turn * 1000) / perSecond;
            if (due > performance.now()) await rest(due - performance.now());
            answers.push(follow(turn));
          }
          await Promise.all(answers);
          // The last requests are in the scrape after the next one at the latest.
          await rest(2 * scrapeSeconds * 1000);

          const span = `${Math.ceil(seconds + 120)}s`;
          const ups = await prometheusQuery(port, `up{job="tickmark"}[${span}]`);
          const values = ups.flatMap(({ values: all = [] }) => all);
          const down = values.filter(([, value]) => value !== "1").length;
          const gap = Math.max(...ups.map(longestGap));
          const buildGap = Math.max(
            ...(await prometheusQuery(port, `tickmark_build_info[${span}]`)).map(longestGap),
          );
          const [series, longest] = await Promise.all(
            ["scrape_samples_scraped", "scrape_duration_seconds"].map(async (name) =>
              sum(await prometheusQuery(port, `max(max_over_time(${name}{job="tickmark"}[${span}]))`)),
            ),
          );
          const rules = await prometheusRules(port);
          const counted: Record<string, number> = {};
          for (const route of Object.keys(sent))
            counted[route] = sum(
              await prometheusQuery(port, `sum(tickmark_http_requests_total{route="${route}"})`),
            );
          const tools = sum(
            await prometheusQuery(
              port,
              'sum(tickmark_mcp_tool_calls_total{tool="list_servers",outcome="done"})',
            ),
          );
          const stored = sum(
            await prometheusQuery(port, 'sum(tickmark_ingested_total{call="heartbeat.send"})'),
          );
          const jobs = await Promise.all(
            Object.entries({
              runs: "sum by (task) (tickmark_job_runs_total)",
              seconds: "sum by (task) (tickmark_job_seconds_total)",
              newestSeconds: "max by (task) (tickmark_job_last_duration_seconds)",
              sinceEnd: "time() - max by (task) (tickmark_job_last_end_timestamp_seconds)",
            }).map(async ([what, expression]) => {
              const found = await prometheusQuery(port, expression);
              const each = found.map(
                ({ metric, value }) => `${metric["task"]} ${Number(value?.[1]).toFixed(1)}`,
              );
              return `${what}: ${each.join(", ")}`;
            }),
          );
          console.log(
            JSON.stringify(
              {
                seconds: Math.round((performance.now() - began) / 1000),
                perSecond,
                servers: serversBeside + fleet.servers.length,
                scrapes: values.length,
                down,
                longestGapSeconds: gap,
                longestGapOfDataSeconds: buildGap,
                series,
                longestScrapeMs: Math.round(1000 * (longest ?? 0)),
                rules: rules.map(({ name, health, state }) => `${name} ${health} ${state}`),
                sent,
                counted,
                tools,
                stored,
                failed,
                jobs,
              },
              null,
              1,
            ),
          );
          expect(failed).toEqual({});
          expect(down).toBe(0);
          expect(values.length).toBeGreaterThanOrEqual(Math.floor(seconds / scrapeSeconds));
          // A scrape may begin late by a second, and a missing one would make a gap of two intervals.
          expect(Math.max(gap, buildGap)).toBeLessThan(scrapeSeconds + 5);
          expect(series).toBeLessThanOrEqual(2000);
          expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
          expect(counted).toEqual(sent);
          expect([tools, stored]).toEqual([sent["/mcp"], sent["/plugin/v1/heartbeat"]]);
        } finally {
          agent.destroy();
          await prometheus.stop();
          await service.stop();
          rmSync(folder, { recursive: true, force: true });
        }
      }, 1_500_000);
    });
  },
  ["PostgreSQL"],
);
