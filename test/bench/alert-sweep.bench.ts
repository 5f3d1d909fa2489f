import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, it } from "vitest";
import type { RuleDefinition } from "../../src/core/alert/alert-rule.ts";
import { systemSecrets } from "../../src/app/access/secrets.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { sweepAlerts } from "../../src/jobs/sweep.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import { eachDatabase } from "../support/databases.ts";
import { definition, watchedServer } from "../store/alert/alerting.ts";
import { noon, sampleAt, times } from "../store/engine/rows.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { copies } from "../support/copied-servers.ts";

const size = 10_000;
/** As a new server has them, but for the periods. */
const rules: readonly Partial<RuleDefinition>[] = [
  { metric: "tps", condition: "below", threshold: 15, durationMinutes: 5 },
  { metric: "mspt", condition: "above", threshold: 60, durationMinutes: 5 },
  { metric: "ram_used_mb", condition: "above", threshold: 9000, durationMinutes: 10 },
  { metric: "player_count", condition: "above", threshold: 90, durationMinutes: 0 },
  { metric: "offline", condition: null, threshold: null, durationMinutes: 5 },
];

/** What the sweep of the alert rules takes of a core, every 30 s, while every server answers. */
eachDatabase(
  (databases, kind) => {
    it(`a sweep over ${size} servers with five rules each, of which none changes`, async () => {
      const url = await databases.url();
      const db = await databases.open(url);
      const { id, account, rule } = await watchedServer(db);
      for (const each of rules) await rule(definition(each));
      const limits = { ...defaultPlans.pro, monitored_servers: size };
      const raw = await openRaw(url);
      const beat = async (now: number): Promise<void> => {
        await db.write(recordHeartbeat, {
          serverId: id,
          receivedAt: now,
          bootTimestamp: noon,
          lastTickAgeMs: 20,
          announcement: null,
          sample: sampleAt(now),
          limits,
        });
      };
      await beat(noon);
      for (const statement of copies(account.id, id, size, size)) await raw.run(statement);
      const copied = (await raw.rows("SELECT * FROM alert_rule LIMIT 1"))[0] ?? {};
      const columns = Object.keys(copied).filter((name) => name !== "id" && name !== "server_id");
      await raw.run(`INSERT INTO alert_rule (id, server_id, ${columns.join(", ")})
      SELECT s.id || '-' || r.id, s.id, ${columns.map((name) => `r.${name}`).join(", ")}
      FROM server AS s CROSS JOIN alert_rule AS r WHERE s.id <> r.server_id`);
      await raw.run("ANALYZE");
      await raw.close();
      const warned: unknown[] = [];
      const sweep = async (): Promise<void> =>
        sweepAlerts({
          db,
          plans: { ...defaultPlans, pro: limits },
          secrets: systemSecrets(),
          clock: () => noon + 20_000,
          warn: (_, error) => void warned.push(error),
          signal: new AbortController().signal,
        });
      await sweep();
      for (const round of times(3)) {
        const delays = monitorEventLoopDelay({ resolution: 1 });
        delays.enable();
        const [before, start] = [process.cpuUsage(), performance.now()];
        await sweep();
        const { user, system } = process.cpuUsage(before);
        delays.disable();
        console.log(
          `${kind}, sweep ${round}: ${((user + system) / 1000).toFixed(0)} ms of Node, ` +
            `${(performance.now() - start).toFixed(0)} ms in all, longest block ${(delays.max / 1e6).toFixed(1)} ms`,
        );
      }
      expect(warned).toEqual([]);
    });
  },
  ["SQLite in a file", "PostgreSQL"],
);
