import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import { makeAccounts, type DemoAccount } from "../../src/demo/accounts.ts";
import { makeRunner, makeTargets } from "../../src/demo/auto-bench.ts";
import { fillFleet } from "../../src/demo/fill.ts";
import { startLiveFleet } from "../../src/demo/live.ts";
import { lateReads } from "../../src/store/engine/open-database.ts";
import { exportOf, importInto, rowsIn, sortedRows } from "../store/transfer/exchanging.ts";
import { isLong } from "../support/long.ts";
import { eachDatabase } from "../support/databases.ts";
import { roomy, testApp, testEpoch } from "../support/test-app.ts";
import { startTestService } from "../support/service.ts";
import { readingEndpoints, walk, type Walked } from "./walk.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const original = `sqlite:${join(folder, "original.db")}`;
const back = `sqlite:${join(folder, "back.db")}`;
let accounts: DemoAccount[] = [];
/** What nobody but its holder may know. */
const secrets: string[] = ["a secret for tests only"];

/** The account whose answers are compared, and the operator, who has the offers measured; in the long run all. */
const [compared, operator] = ["hosting", "admin"];
const isTaken = ({ name }: DemoAccount): boolean => isLong || name === compared || name === operator;

/** The demo as `--still` fills it, and one heartbeat of each server, all at one instant. */
beforeAll(async () => {
  const { service, defects, close } = await startTestService({
    databaseUrl: original,
    clock: () => testEpoch,
  });
  accounts = (await makeAccounts(service.app, testEpoch)).filter(isTaken);
  const { servers, sendTimelines } = await fillFleet(service, accounts, testEpoch);
  const fleet = await startLiveFleet(
    servers,
    () => testEpoch,
    () => {},
  );
  await sendTimelines();
  await makeTargets(service.app, accounts, servers, testEpoch, true);
  secrets.push(await makeRunner(service.app, "Yours", testEpoch));
  for (const { password, token } of accounts) secrets.push(password, token);
  for (const { authToken } of servers) secrets.push(authToken);
  await fleet.stop();
  await close();
  expect(defects).toEqual([]);
});

it("[OUR-STO-60] no secret is in an export in clear, nor an address that is kept sealed", async () => {
  const exported = (await exportOf(original)).toString("utf8");
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) {
    expect(exported).not.toContain(secret);
    // Tokens differ in their first characters; the rest is the secret.
    expect(exported).not.toContain(secret.slice(8));
  }
  const settings = rowsIn(Buffer.from(exported), "notification_setting");
  expect(settings.length).toBeGreaterThan(0);
  expect(JSON.stringify(settings)).not.toContain("@");
});

const took = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const value = await work();
  console.log(`${what}: ${Math.round(performance.now() - start)} ms`);
  return value;
};

eachDatabase(
  (databases) => {
    /** Every answer of a database to every account of the demo and to nobody, without what runs by itself. */
    const answersOf = async (url: string): Promise<Walked[]> => {
      const test = testApp({ plans: roomy });
      const database = await databases.open(url);
      const app: AppContext = { ...test.app, db: database, replica: lateReads(database, null) };
      const answers: Walked[] = [];
      const readers = accounts.filter(({ name }) => isLong || name === compared);
      for (const token of [...readers.map(({ token }) => token), null])
        answers.push(...(await walk(app, token)));
      expect(test.defects).toEqual([]);
      await test.close();
      return answers;
    };

    it("[OUR-STO-52] the demo answers byte for byte the same after SQLite → PostgreSQL → SQLite", async () => {
      const there = await databases.emptyUrl();
      const exported = await took("export of SQLite", () => exportOf(original));
      await took("import into PostgreSQL", () => importInto(there, exported));
      const again = await took("export of PostgreSQL", () => exportOf(there));
      await took("import into SQLite", () => importInto(back, again));
      expect(sortedRows(again)).toEqual(sortedRows(exported));
      expect(sortedRows(await exportOf(back))).toEqual(sortedRows(exported));

      const before = await took("walk over the original", () => answersOf(original));
      const inPostgres = await took("walk over PostgreSQL", () => answersOf(there));
      const after = await took("walk over the copy", () => answersOf(back));
      for (const answers of [inPostgres, after]) {
        const differing = answers.filter(({ body }, index) => body !== before[index]?.body);
        expect(differing.slice(0, 3)).toEqual([]);
        expect(answers).toEqual(before);
      }
      const answered = new Set(before.filter(({ status }) => status === 200).map(({ id }) => id));
      expect([...answered].toSorted()).toEqual(readingEndpoints.toSorted());
      const followed = before.filter(({ url }) => url.includes("cursor=")).length;
      expect(followed).toBeGreaterThan(20);
      const rows = rowsIn(exported).length;
      console.log(
        `${rows} rows, ${exported.length} bytes; ${before.length} answers of ${answered.size} routes, ${followed} of them next pages`,
      );
    });
  },
  ["PostgreSQL"],
);
