import { expect, it } from "vitest";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { recordHeartbeat } from "../../src/services/metric/record-heartbeat.ts";
import type { Database } from "../../src/store/engine/database.ts";
import { selectMonitoredServer } from "../../src/store/server/servers.ts";
import { eachDatabase } from "../support/databases.ts";
import { newAccount, newServer, noon, sampleAt, times } from "../store/engine/rows.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { copies } from "../support/copied-servers.ts";

const rounds = 400;
const size = 10_000;

/** Microseconds of one call, the median of each of several that take turns. */
async function medians(calls: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const took: number[][] = calls.map(() => []);
  for (const _ of times(rounds)) {
    for (const [index, call] of calls.entries()) {
      const start = performance.now();
      await call();
      took[index]?.push((performance.now() - start) * 1000);
    }
  }
  return took.map((all) => all.toSorted((a, b) => a - b)[rounds / 2] ?? Number.NaN);
}

/** What a call about the oldest server costs in an account of 10,000 monitored servers, beside one in an account of one. */
eachDatabase(
  (databases, kind) => {
    it("status and heartbeat in an account of 10,000 servers beside an account of one", async () => {
      const url = await databases.url();
      const db: Database = await databases.open(url);
      const [small, large] = [await newAccount(db), await newAccount(db)];
      const [alone, oldest] = [(await newServer(db, small)).server, (await newServer(db, large)).server];
      const raw = await openRaw(url);
      for (const statement of copies(large.id, oldest.id, size, size)) await raw.run(statement);
      await raw.run("ANALYZE");
      await raw.close();
      expect(await db.read(selectMonitoredServer, oldest.id, large.id)).toMatchObject({
        ownerSuspended: false,
        enabledRank: size,
        enabledServers: size,
      });
      const limits = { ...defaultPlans.pro, monitored_servers: size };
      let at = noon;
      const heartbeat = (serverId: string) => () => {
        at += 1000;
        const still = { bootTimestamp: noon, lastTickAgeMs: 20, announcement: null, limits };
        return db.write(recordHeartbeat, { serverId, receivedAt: at, sample: sampleAt(at), ...still });
      };
      const [statusOne = 0, statusMany = 0, beatOne = 0, beatMany = 0] = await medians([
        () => db.read(selectMonitoredServer, alone.id, small.id),
        () => db.read(selectMonitoredServer, oldest.id, large.id),
        heartbeat(alone.id),
        heartbeat(oldest.id),
      ]);
      console.log(
        `${kind}: status row ${statusOne.toFixed(0)} µs in an account of one, ${statusMany.toFixed(0)} µs of ${size}: ` +
          `${(statusMany / statusOne).toFixed(2)} × (aim 1.3); heartbeat ${beatOne.toFixed(0)} and ${beatMany.toFixed(0)} µs: ` +
          `${(beatMany / beatOne).toFixed(2)} × (aim 1.3)`,
      );
    });
  },
  ["SQLite in a file", "PostgreSQL"],
);
