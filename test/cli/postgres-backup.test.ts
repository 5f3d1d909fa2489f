import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { databaseAt } from "../../src/cli/backup-folder.ts";
import { aloneAt, aloneWith } from "../../src/cli/backup-turns.ts";
import { keepBackingUp, type BackupTurns } from "../../src/cli/keep-backing-up.ts";
import { dayMs } from "../../src/core/time.ts";
import { jobRunner } from "../../src/store/job/jobs.ts";
import { readIdentity } from "../../src/store/transfer/database-identity.ts";
import { openRaw } from "../store/engine/raw-database.ts";
import { exportOf, sortedRows } from "../store/transfer/exchanging.ts";
import { answersOf } from "../support/answers-of.ts";
import { runCommand, type EndedCommand } from "../support/command-line.ts";
import { eachDatabase } from "../support/databases.ts";
import { makeFleet, type Fleet } from "../support/fleet.ts";
import { ask, startServiceProcess, until, type ServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-postgres-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = "a secret of this test";

const tickmark = (url: string, ...args: string[]): Promise<EndedCommand> =>
  runCommand(args, { TICKMARK_DATABASE_URL: url, TICKMARK_SECRET: secret });

/** Sends events of all servers, one request after the other for each of them, until it is ended; counts what was taken. */
function load(service: ServiceProcess, { servers }: Fleet): { taken: () => number; end(): Promise<void> } {
  let taken = 0;
  const ending = new AbortController();
  const sending = servers.map(async ({ credential }) => {
    for (let number = 0; !ending.signal.aborted; number += 1) {
      const event = { local_id: `e${number}`, type: "tempban", category: "moderation", source: "A" };
      const events = [{ ...event, severity: "info", title: `Ban ${number}`, timestamp: null }];
      const { status } = await ask(service, "POST", "/plugin/v1/events", credential, { events });
      if (status === 200) taken += 1;
      // A server may send so many events and no more.
      if (status === 429) return;
    }
  });
  return {
    taken: () => taken,
    end: async () => {
      ending.abort();
      await Promise.all(sending);
    },
  };
}

const backupsIn = (path: string): string[] =>
  statSync(path, { throwIfNoEntry: false }) ? readdirSync(path).toSorted() : [];

const eventsIn = async (url: string): Promise<number> => {
  const raw = await openRaw(url);
  const [row] = await raw.rows("SELECT count(*) AS n FROM server_event WHERE type = 'tempban'");
  await raw.close();
  return Number(row?.["n"]);
};

eachDatabase(
  (databases) => {
    it("[OUR-CLI-10] [OUR-CLI-11] serve backs PostgreSQL up under load; restored into an empty database it answers as before", async () => {
      const url = await databases.url();
      const fleet = await makeFleet(url, 3, "pro");
      const environment = { TICKMARK_DATABASE_URL: url, TICKMARK_SECRET: secret };
      const served = join(folder, "served");
      const service = await startServiceProcess(environment, [], undefined, ["--backup-dir", served]);
      const made = (path: string): string[] => backupsIn(path).filter((name) => name.endsWith(".ndjson"));
      await until("a backup is there", () => made(served).length > 0);
      expect(made(served)).toEqual([expect.stringMatching(/^tickmark-[0-9a-f]{12}-\d{8}T\d{6}Z\.ndjson$/)]);
      const sending = load(service, fleet);
      const into = join(folder, "under load");
      let [least, most] = [0, 0];
      try {
        await until("events are taken", () => sending.taken() > 20);
        least = sending.taken();
        expect(await tickmark(url, "backup", into, "--keep", "2")).toMatchObject({ status: 0, stderr: "" });
        most = sending.taken() + fleet.servers.length;
      } finally {
        await sending.end();
        await service.stop();
      }
      expect(most).toBeGreaterThan(least + fleet.servers.length);
      const file = join(into, made(into)[0] ?? "");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const moment = await databases.url();
      expect(await tickmark(moment, "restore", file)).toMatchObject({ status: 0, stderr: "" });
      expect(await eventsIn(moment)).toBeGreaterThanOrEqual(least);
      expect(await eventsIn(moment)).toBeLessThanOrEqual(most);

      const before = await answersOf(url, fleet, secret);
      expect(JSON.stringify(before)).toContain("tempban");
      const last = join(folder, "last.ndjson");
      expect(await tickmark(url, "backup", last)).toMatchObject({ status: 0, stderr: "" });
      const restored = await databases.emptyUrl();
      expect((await tickmark(restored, "restore", last, "--json")).stdout).toContain('"database":"postgres"');
      expect(sortedRows(await exportOf(restored))).toEqual(sortedRows(await exportOf(url)));
      expect(await answersOf(restored, fleet, secret)).toEqual(before);
      expect(await tickmark(restored, "restore", last)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("has data already") as string,
      });
      console.log(`a backup with ${await eventsIn(moment)} events, taken between ${least} and ${most}`);
    });

    it("[OUR-CLI-10] a service that ends gives a backup in progress up, ends in time, and leaves no half of it", async () => {
      const url = await databases.url();
      await databases.open(url);
      const raw = await openRaw(url);
      // The export waits for this table.
      await raw.run("BEGIN; LOCK TABLE offer IN ACCESS EXCLUSIVE MODE");
      const into = join(folder, "given-up");
      const environment = { TICKMARK_DATABASE_URL: url, TICKMARK_SECRET: secret, TICKMARK_STOP_SECONDS: "0" };
      const service = await startServiceProcess(environment, [], undefined, ["--backup-dir", into]);
      await until("a backup has begun", () => backupsIn(into).some((name) => name.endsWith(".part")));
      const ended = once(service.process, "exit");
      await service.stop();
      expect(await ended).toEqual([0, null]);
      expect(backupsIn(into)).toEqual([]);
      await raw.close();
    });

    it("[OUR-CLI-15] of two processes that share a folder one makes the backup, also where one of them does not serve", async () => {
      const url = await databases.url();
      const database = databaseAt(url, await readIdentity(url));
      const into = { folder: join(folder, "shared"), keep: 7, everyMs: dayMs, database };
      const [ending, turns, made] = [new AbortController(), [] as boolean[], [] as string[]];
      const failed: unknown[] = [];
      const process = async (alone: BackupTurns["alone"]): Promise<void> => {
        await keepBackingUp(into, ending.signal, {
          made: ({ file }) => made.push(file),
          failed: (error) => failed.push(error),
          waits: () => {},
          alone: async (work) => {
            const isMine = await alone(work);
            turns.push(isMine);
            return isMine;
          },
        });
      };
      const both = Promise.all([
        process(aloneWith(jobRunner(await databases.open(url)))),
        process(aloneAt(url)),
      ]);
      await until("each had its turn", () => turns.length === 2);
      ending.abort();
      await both;
      expect([made.length, failed]).toEqual([1, []]);
      expect(backupsIn(into.folder).filter((name) => name.endsWith(".ndjson"))).toHaveLength(1);
    });

    it("[OUR-CLI-15] a backup needs no turn where none can be noted, and is made once", async () => {
      const database = await databases.open();
      const alone = aloneWith(jobRunner(database));
      const fails = async (): Promise<void> => {
        throw new RangeError("a full disk of backups");
      };
      await expect(alone(fails)).rejects.toThrow(RangeError);
      await database.close();
      let made = 0;
      expect(await alone(async () => void (made += 1))).toBe(true);
      expect(made).toBe(1);
    });
  },
  ["PostgreSQL"],
);
