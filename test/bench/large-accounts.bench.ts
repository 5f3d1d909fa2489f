import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { benchPlace } from "./bench-place.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { makeFleet } from "../support/fleet.ts";
import { ask, startServiceProcess } from "../support/service-process.ts";
import { copies } from "../support/copied-servers.ts";
import { heartbeat } from "./heartbeats.ts";
import { cpuMicroseconds, cpuOfFamily } from "./processes.ts";

/** What calls that show a page cost in an account of few and of many servers: the page is as long in each. */
const sizes = (process.env["BENCH_ACCOUNT_SIZES"] ?? "100,1000,10000").split(",").map(Number);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 10);
const { folder, plans, postgres } = benchPlace(
  "large",
  { ...defaultPlans.enterprise, monitored_servers: Math.max(...sizes) },
  false,
);

const rest = [
  "/servers?limit=20",
  "/monitoring/events?limit=20",
  "/monitoring/events?limit=20&type=server_stop",
  "/monitoring/software?limit=20",
  "/monitoring/software?limit=20&part=plugin",
  "/monitoring/health",
  "/monitoring/overview",
  "/monitoring/alert-rules?limit=20",
  "/monitoring/availability?limit=20",
  "/alert-events?limit=20",
  "/reports?limit=20",
];
const tools: readonly (readonly [string, Record<string, unknown>])[] = [
  ["diagnose_fleet", {}],
  ["get_monitoring_overview", {}],
  ["list_servers", { limit: 20 }],
];

/** Each server of an account gets what its first one has: health, software, and so many events at moments of its own. */
const filled = (account: string, template: string, events: number, now: number): string[] => [
  `INSERT INTO server_health (server_id, verdict, since, reasons, headline, evaluated_at, verdict_from, announced, beginnings)
    SELECT s.id, h.verdict, h.since, h.reasons, h.headline, h.evaluated_at, h.verdict_from, h.announced, h.beginnings
    FROM server AS s, server_health AS h WHERE s.account_id = '${account}' AND h.server_id = '${template}' AND s.id <> h.server_id`,
  `INSERT INTO server_software (server_id, inventory, received_at, changed_at, first_received_at, changes)
    SELECT s.id, w.inventory, w.received_at, w.changed_at, w.first_received_at, w.changes
    FROM server AS s, server_software AS w WHERE s.account_id = '${account}' AND w.server_id = '${template}' AND s.id <> w.server_id`,
  `INSERT INTO server_event (id, server_id, local_id, type, category, source, severity, title, timeline_at, happened_at, received_at)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events})
    SELECT s.id || '-e' || n.i, s.id, CAST(n.i AS TEXT), 'ban', 'moderation', 'LiteBans', 'warning', 'Banned',
      ${now} - 60000 * n.i - s.linked_at % 60000, ${now} - 60000 * n.i - s.linked_at % 60000, ${now}
    FROM server AS s, n WHERE s.account_id = '${account}'`,
  `UPDATE server SET last_event_at = ${now} - 60000 - linked_at % 60000 WHERE account_id = '${account}'`,
];

it.each(["sqlite", "postgres"])(
  "pages of small and large accounts, %s",
  async (kind) => {
    const base = kind === "sqlite" ? null : postgres().url;
    const table = new Map<string, string[]>();
    for (const size of sizes) {
      const url = base ?? `sqlite:${join(folder, `large-${size}.db`)}`;
      const fleet = await makeFleet(url, 1, "enterprise");
      const [server] = fleet.servers;
      if (!server) throw new Error("A fleet has a server.");
      const environment = {
        TICKMARK_DATABASE_URL: url,
        TICKMARK_SECRET: "a secret of the bench",
        TICKMARK_PLANS: plans,
      };
      const first = await startServiceProcess(environment);
      const raw = await openRaw(url);
      await ask(first, "POST", "/plugin/v1/heartbeat", server.credential, JSON.parse(heartbeat()));
      const plugins = Array.from({ length: 40 }, (_, index) => ({
        name: `Plugin${index}`,
        version: `1.${index}`,
      }));
      const sent = await ask(first, "PUT", "/plugin/v1/software", server.credential, { plugins });
      expect(sent.status).toBeLessThan(300);
      while ((await raw.rows(`SELECT 1 FROM server_health WHERE server_id = '${server.id}'`)).length === 0)
        await delay(100);
      await first.stop();
      const account = String(
        (await raw.rows(`SELECT account_id FROM server WHERE id = '${server.id}'`))[0]?.["account_id"],
      );
      for (const statement of copies(account, server.id, size, size)) await raw.run(statement);
      for (const statement of filled(account, server.id, 20, Date.now())) await raw.run(statement);
      // The service collects no statistics on SQLite.
      if (kind === "postgres") await raw.run("ANALYZE");
      await raw.close();
      const service = await startServiceProcess(environment);
      const pid = service.process.pid ?? 0;
      const spent = (): number =>
        cpuMicroseconds(pid) + (kind === "postgres" ? cpuOfFamily(postgres().pid() ?? 0) : 0);
      const measure = async (
        name: string,
        call: () => Promise<{ readonly status: number }>,
      ): Promise<void> => {
        for (const _ of [1, 2, 3]) expect((await call()).status, name).toBe(200);
        const took: number[] = [];
        const before = spent();
        for (let round = 0; round < rounds; round += 1) {
          const start = performance.now();
          await call();
          took.push(performance.now() - start);
        }
        const cpu = (spent() - before) / rounds / 1000;
        const middle = took.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
        const row = table.get(name) ?? [];
        row.push(`${middle.toFixed(1)} (${cpu.toFixed(1)})`);
        table.set(name, row);
      };
      for (const path of rest) await measure(path, () => ask(service, "GET", `/api/v1${path}`, fleet.token));
      for (const [name, args] of tools)
        await measure(name, () =>
          ask(service, "POST", "/mcp", fleet.token, {
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name, arguments: args },
          }),
        );
      await service.stop();
    }
    console.log(`${kind}: median ms (CPU ms) of a call, servers in the account: ${sizes.join(", ")}`);
    for (const [name, row] of table)
      console.log(`${name.padEnd(46)} ${row.map((each) => each.padStart(18)).join("")}`);
  },
  1_200_000,
);
