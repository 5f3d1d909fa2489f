import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { selectAccounts } from "../../../src/store/access/accounts.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { openPostgres } from "../../../src/store/engine/postgres.ts";
import { defaultPlans } from "../../../src/core/access/plan.ts";
import { eachDatabase } from "../../support/databases.ts";
import { startPgBouncer, whyNoPgBouncer, type PgBouncer } from "../../support/pgbouncer.ts";
import { until } from "../../support/service-process.ts";
import { newAccount, newServer, noon, sampleAt, times } from "./rows.ts";

const noPooler = whyNoPgBouncer() !== null;

eachDatabase(
  (databases) => {
    const running: (Pick<PgBouncer, "stop"> | { stop(): Promise<void> })[] = [];
    afterEach(async () => {
      for (const each of running.splice(0).toReversed()) await each.stop();
    });

    /** A new database behind a pooler. */
    async function pooled(options: Parameters<typeof startPgBouncer>[1]) {
      const direct = await databases.url();
      const pooler = await startPgBouncer(direct, options);
      running.push(pooler);
      const url = pooler.url(new URL(direct).pathname.slice(1));
      const told: [level: string, words: string][] = [];
      const open = async (): Promise<Database> => {
        const db = await openPostgres(
          url,
          () => {},
          (level, words) => void told.push([level, words]),
        );
        running.push({ stop: () => db.close() });
        return db;
      };
      return { direct, pooler, url, told, open };
    }

    /** Runs one statement over a connection of its own. */
    async function ask(url: string, statement: string): Promise<unknown[]> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(statement);
      await client.end();
      return rows.map((row) => Object.values(row)[0]);
    }

    const advisoryLocks = (url: string): Promise<unknown[]> =>
      ask(
        url,
        "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );

    it
      .skipIf(noPooler)
      .each([
        { mode: "transaction" },
        { mode: "transaction", isRoundRobin: true },
        { mode: "transaction", poolSize: 1 },
        { mode: "transaction", poolSize: 2, isRoundRobin: true },
        { mode: "statement" },
      ] as const)(
      "[OUR-STO-82] a start behind a pooler that shares connections is refused: %o",
      async (options) => {
        const { direct, url, open } = await pooled(options);
        // Several connections of the pooler are idle, as beside other programs.
        await Promise.all(times(4).map(() => ask(url, "SELECT pg_sleep(0.05)")));
        await expect(open()).rejects.toMatchObject({
          name: "SharedConnections",
          message: expect.stringContaining("set pool_mode = session"),
        });
        expect(await advisoryLocks(direct)).toEqual([]);
        // No setting of a session was left on a connection that others get.
        expect(await ask(url, "SHOW statement_timeout")).toEqual(["0"]);
      },
    );

    it.skipIf(noPooler)("[OUR-STO-82] behind a pooler of sessions everything works", async () => {
      const { direct, open } = await pooled({ mode: "session" });
      const db = await open();
      const account = await newAccount(db);
      const { server } = await newServer(db, account);
      const beat = (second: number) =>
        db.writeFor(server.id, recordHeartbeat, {
          serverId: server.id,
          receivedAt: noon + second * 1000,
          bootTimestamp: null,
          lastTickAgeMs: null,
          announcement: null,
          limits: defaultPlans.pro,
          sample: sampleAt(noon + second * 1000, { tps: 20 }),
        });
      await Promise.all(times(50).map((_, second) => beat(second)));
      await Promise.all(times(50).map(() => db.read(selectAccounts)));
      expect(await db.tryAlone?.("a job", async () => advisoryLocks(direct))).toHaveLength(1);
      expect(await advisoryLocks(direct)).toEqual([]);
      expect(db.refusal()).toBeNull();
    });

    // The pooler is looked at every five seconds, and PgBouncer takes a while for its settings.
    it.skipIf(noPooler)(
      "[OUR-STO-83] a pooler that shares connections from some moment on is noticed: no call fails as a defect, and it goes on afterwards",
      async () => {
        const { pooler, told, open } = await pooled({ mode: "session" });
        const db = await open();
        const account = await newAccount(db);
        const work = (): Promise<unknown>[] => [
          db.read(selectAccounts),
          db.write(changePlan, account.id, "pro", 0),
          db.write(changePlan, account.id, "hosting", 0),
        ];
        await Promise.all(times(10).flatMap(work));
        await pooler.reload("transaction");
        const failed: unknown[] = [];
        await until("the pooler is noticed", async () => {
          for (const ended of await Promise.allSettled(times(5).flatMap(work)))
            if (ended.status === "rejected") failed.push(ended.reason);
          return db.refusal() !== null;
        });
        expect(failed.filter((error) => !(error instanceof Error && error.name === "Unavailable"))).toEqual(
          [],
        );
        await expect(db.read(selectAccounts)).rejects.toMatchObject({ trouble: "pooler" });
        await expect(db.tryAlone?.("a job", async () => null)).rejects.toMatchObject({ trouble: "pooler" });
        expect(told).toEqual([["error", expect.stringContaining("pool_mode = session")]]);

        await pooler.reload("session");
        await until("it goes on", () => db.refusal() === null);
        // No connection remembers statements that are another one's since.
        await Promise.all(times(10).flatMap(work));
        expect((await db.read(selectAccounts)).map(({ id }) => id)).toEqual([account.id]);
        expect(told.at(-1)?.[0]).toBe("info");
      },
    );
  },
  ["PostgreSQL"],
);
