import { expect, it } from "vitest";
import { exampleSample } from "../../src/endpoints/api/server/example-sample.ts";
import type { Step } from "../../src/store/engine/database.ts";
import { noteAll, scansOf, type Scan } from "../store/access/planning.ts";
import { eachDatabase } from "../support/databases.ts";
import { startTestService } from "../support/service.ts";

// Every server of a fleet takes these paths all day. Where tables are spread over machines by server and account, a
// statement that is restricted to neither asks every machine.

/** What is found by a secret before it is known whose it is, or by the id that the secret led to. */
const directory: Readonly<Record<string, RegExp>> = {
  api_token: /^\(+(digest|id) = '/,
  server_credential: /^\(+digest = '/,
};

const isRestricted = ({ table, condition }: Scan): boolean =>
  /\b(server_id|account_id) = /.test(condition) ||
  (/^(server|account)$/.test(table) && /^\(+id = /.test(condition)) ||
  (directory[table]?.test(condition) ?? false);

eachDatabase(
  (databases) => {
    it("each statement of the hot paths is restricted to one server or one account", async () => {
      const service = await startTestService({ databaseUrl: await databases.url(), timers: false });
      const { app } = service;
      const steps: Step[] = [];
      noteAll(app.db, steps);
      const owner = await service.account();
      const server = await service.server(owner);
      const token = await service.token(owner);
      const rule = {
        metric: "mspt",
        condition: "above",
        threshold: 1000,
        duration_minutes: 1,
        cooldown_minutes: 5,
      };
      const made = await service.request("POST", `/api/v1/servers/${server.id}/alert-rules`, {
        token,
        body: { name: "Slow", ...rule },
      });
      expect(made.status, made.text).toBe(201);
      const sampled = (minutesAgo: number) => {
        const at = new Date(app.clock() - minutesAgo * 60_000).toISOString();
        return { sent_at: at, sample: { ...exampleSample, sampled_at: at } };
      };
      const asPlugin = (path: string, body: object) => async () =>
        service.request("POST", `/plugin/v1/${path}`, { token: server.credential, body });
      const read = (path: string) => async () =>
        service.request("GET", `/api/v1/servers/${server.id}/${path}`, { token });
      const entry = {
        local_id: "1",
        type: "x",
        category: "custom",
        source: "y",
        severity: "info",
        title: "z",
      };
      const hotPaths = [
        asPlugin("heartbeat", { ...sampled(1), plugin_version: "1.10.2", last_tick_age_ms: 20 }),
        asPlugin("heartbeat", { ...sampled(0), plugin_version: "1.10.2", last_tick_age_ms: 20 }),
        asPlugin("samples", { samples: [sampled(60).sample] }),
        asPlugin("events", { events: [{ ...entry, timestamp: sampled(1).sent_at }] }),
        read("status"),
        read("metrics?fields=tps"),
        read("events"),
      ];
      // The first heartbeat has the server evaluated, and so has an alert that opens: neither is a hot path.
      await asPlugin("heartbeat", { ...sampled(3), plugin_version: "1.10.2", last_tick_age_ms: 20 })();
      steps.length = 0;
      for (const call of hotPaths) {
        const answer = await call();
        expect(answer.status, answer.text).toBe(200);
      }
      const scans: Scan[] = [];
      for (const step of new Map(steps.map((each) => [each.query, each])).values())
        scans.push(...(await scansOf(app.db, step)));
      const tables = new Set(scans.map(({ table }) => table));
      for (const table of ["server", "sample", "alert_rule", "server_event", "sample_block", "account"])
        expect(tables).toContain(table);
      expect(scans.filter((scan) => !isRestricted(scan))).toEqual([]);
      await service.close();
    });
  },
  ["PostgreSQL"],
);
