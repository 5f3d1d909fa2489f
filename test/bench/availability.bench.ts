import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, it } from "vitest";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { encodeSegment, fieldColumn, segmentPointsAtMost } from "../../src/core/metric/block/segment.ts";
import { seriesFields } from "../../src/core/metric/fields.ts";
import { readAvailability } from "../../src/services/health/read-availability.ts";
import { readHealthFacts } from "../../src/services/health/read-health-facts.ts";
import { storeLateSamples } from "../../src/services/metric/record-heartbeat.ts";
import { readWholeFleet } from "../../src/services/monitoring/read-overview.ts";
import { saveBlock } from "../../src/store/metric/blocks.ts";
import { sampleTable } from "../../src/store/metric/tables.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { day, minute, newAccount, newServer, noon, sampleAt } from "../store/engine/rows.ts";
import { eachDatabase } from "../support/databases.ts";
import { dice } from "../support/dice.ts";
import { copies } from "../support/copied-servers.ts";

const size = 1000;
const days = 30;
const everyMs = 30_000;
/** As many fields as an agent sends. */
const measured = seriesFields.slice(0, 24);

/** A day of samples with noise, which takes about as much room as a recorded one. */
function blockOfDay(start: number, end: number, random: () => number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = start; at < end; at += segmentPointsAtMost * everyMs) {
    const count = Math.min(segmentPointsAtMost, (end - at) / everyMs);
    const times = Float64Array.from({ length: count }, (_, place) => at + place * everyMs);
    const noisy = () => Float64Array.from(times, () => Math.round(random() * 400) / 10);
    parts.push(
      encodeSegment({
        times,
        columns: new Map(measured.map((field) => [fieldColumn(field), noisy()])),
        details: null,
      }),
    );
  }
  return Buffer.concat(parts);
}

/** What the availability of an account of 1,000 servers takes, beside the full health of one of them. */
eachDatabase(
  (databases, kind) => {
    it("availability of 1,000 servers over 24 hours, 7 and 30 days", async () => {
      const url = await databases.url();
      const db = await databases.open(url);
      const limits = { ...defaultPlans.pro, monitored_servers: size };
      const account = await newAccount(db, { createdAt: noon - 40 * day });
      const { server } = await newServer(db, account, { now: noon - 31 * day, monitoredServers: size });
      const random = dice(1);
      const sealedTo = noon - 120 * minute;
      let bytes = 0;
      for (let start = noon - day / 2 - days * day; start < noon; start += day) {
        const data = blockOfDay(start, Math.min(start + day, sealedTo), random);
        bytes = Math.max(bytes, data.length);
        await db.write(saveBlock, server.id, start, data);
      }
      const rows = Array.from({ length: (noon - sealedTo) / everyMs }, (_, place) =>
        sampleAt(sealedTo + place * everyMs, { tps: 20 }),
      );
      await db.write(storeLateSamples, server.id, rows, noon);
      const raw = await openRaw(url);
      for (const statement of copies(account.id, server.id, size, size)) await raw.run(statement);
      const copy = async (table: string, columns: readonly string[]): Promise<void> =>
        void (await raw.run(
          `INSERT INTO ${table} (${columns.join()}) SELECT s.id, ${columns
            .slice(1)
            .map((column) => `b.${column}`)
            .join()} FROM server s, ${table} b
            WHERE s.account_id = '${account.id}' AND s.id <> '${server.id}' AND b.server_id = '${server.id}'
              AND NOT EXISTS (SELECT 1 FROM ${table} x WHERE x.server_id = s.id)`,
        ));
      await copy("sample", sampleTable.columns);
      await copy("sample_block", ["server_id", "day", "first_at", "last_at", "points", "data"]);
      await raw.close();
      const { servers } = await readWholeFleet(db, account.id, true);
      for (const length of [1, 7, days]) {
        const period = { from: noon - length * day, to: noon, now: noon };
        const delay = monitorEventLoopDelay({ resolution: 1 });
        await readAvailability(db, servers.slice(0, 20), { limits, ...period });
        delay.enable();
        let reads = 0;
        const read: typeof db.read = (work, ...values) => {
          reads += 1;
          return db.read(work, ...values);
        };
        const [start, used] = [performance.now(), process.cpuUsage()];
        const known = await readAvailability({ ...db, read }, servers, { limits, ...period });
        const took = performance.now() - start;
        const { user, system } = process.cpuUsage(used);
        delay.disable();
        const one = performance.now();
        const [first] = servers;
        if (first) await readHealthFacts(db, { server: first, limits, ...period, regressionSince: null });
        const alone = performance.now() - one;
        console.log(
          `${kind}: ${known.size} servers, ${length} d, blocks of ${Math.round(bytes / 1024)} KB: ${took.toFixed(0)} ms, ` +
            `CPU ${((user + system) / 1000).toFixed(0)} ms, longest block ${(delay.max / 1e6).toFixed(1)} ms, ` +
            `${reads} reads; health of one server ${alone.toFixed(0)} ms`,
        );
        expect(known.size).toBe(servers.length);
      }
    });
  },
  ["SQLite in a file", "PostgreSQL"],
);
