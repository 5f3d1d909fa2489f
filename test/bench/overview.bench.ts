import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, it } from "vitest";
import { jsonInPortions, longListOf, projectedInPortions } from "../../src/contract/endpoint/long-list.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { overviewSteps } from "../../src/core/monitoring/overview.ts";
import { getMonitoringOverview } from "../../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import { inTurns } from "../../src/core/turns.ts";
import { readFleetHead } from "../../src/services/monitoring/read-overview.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { eachDatabase } from "../support/databases.ts";
import { newAccount, newServer, noon, sampleAt, times } from "../store/engine/rows.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { copies } from "../support/copied-servers.ts";

const size = 10_000;
/** What an overview takes of the thread, in an account of 10,000 linked servers, read and written as JSON. */
eachDatabase(
  (databases, kind) => {
    it("an overview of 100 and of 10,000 among 10,000 linked servers, beside its JSON alone", async () => {
      const url = await databases.url();
      const db: Database = await databases.open(url);
      const limits = { ...defaultPlans.pro, monitored_servers: size };
      const raw = await openRaw(url);
      const accounts: Record<number, string> = {};
      for (const monitored of [100, size]) {
        const account = await newAccount(db);
        const { server } = await newServer(db, account);
        const still = { bootTimestamp: noon, lastTickAgeMs: 20, announcement: null, limits };
        await db.write(recordHeartbeat, {
          serverId: server.id,
          receivedAt: noon,
          sample: sampleAt(noon),
          ...still,
        });
        for (const statement of copies(account.id, server.id, size, monitored)) await raw.run(statement);
        accounts[monitored] = account.id;
      }
      await raw.run("ANALYZE");
      await raw.close();
      const text = async (account: string): Promise<Buffer> => {
        const asked = { includeUnmonitored: false, watched: null, top: null };
        const head = await readFleetHead(db, account, asked, limits, noon);
        const value = await inTurns(overviewSteps(head, limits, noon));
        const list = longListOf(value);
        if (list === null) return Buffer.from(JSON.stringify(getMonitoringOverview.project(value)));
        return jsonInPortions(await projectedInPortions(value, list, getMonitoringOverview.project), list);
      };
      for (const monitored of [100, size]) {
        const account = accounts[monitored] ?? "";
        const took: number[] = [];
        const cpu: number[] = [];
        const blocks: number[] = [];
        let bytes = 0;
        for (const _ of times(9)) {
          const delay = monitorEventLoopDelay({ resolution: 1 });
          await new Promise((resolve) => setTimeout(resolve, 5));
          delay.enable();
          const [start, used] = [performance.now(), process.cpuUsage()];
          bytes = (await text(account)).length;
          took.push(performance.now() - start);
          const { user, system } = process.cpuUsage(used);
          cpu.push((user + system) / 1000);
          await new Promise((resolve) => setTimeout(resolve, 5));
          delay.disable();
          blocks.push(delay.max / 1e6);
        }
        const middle = (values: number[]) => (values.toSorted((a, b) => a - b)[4] ?? 0).toFixed(1);
        const parsed: unknown = JSON.parse((await text(account)).toString());
        const start = performance.now();
        JSON.stringify(parsed);
        const alone = performance.now() - start;
        console.log(
          `${kind}: ${monitored} of ${size} shown, ${(bytes / 1e6).toFixed(1)} MB: ${middle(took)} ms, CPU ${middle(cpu)} ms, ` +
            `longest block ${middle(blocks)} ms (median of 9); JSON.stringify alone ${alone.toFixed(1)} ms`,
        );
        expect(parsed).toMatchObject({ totals: { online: monitored } });
      }
    });
  },
  ["SQLite in a file", "PostgreSQL"],
);
