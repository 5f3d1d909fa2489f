import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { all, type Database, type Step, type Work } from "../../src/store/database.ts";
import { query, type Query, type Statement } from "../../src/store/query.ts";
import { storesOn } from "../../src/store/stores.ts";
import { eachDatabase, sharedKinds, type DatabaseKind } from "../support/databases.ts";
import { admin, newAccount, newServer, newToken, noon, verify, viewer, type Stores } from "./rows.ts";

type Line = Record<string, string | number>;

const noSeqScan = query<Record<string, never>>()<Line>((db) => ({
  compile: () =>
    sql<Line>`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.compile(
      db,
    ),
}));

const explained = (prefix: string, { sql, places }: Statement): Statement => ({
  sql: `${prefix} ${sql}`,
  places,
});

/** The plan of a statement as text. Small tables are read whole whatever the indexes, so PostgreSQL is told not to. */
async function planOf(db: Database, { query, values }: Step): Promise<string> {
  const { sqlite, postgres } = query.statements;
  const plan: Query<Record<string, never>, Line> = {
    name: `explain_${query.name}`,
    statements: { sqlite: explained("EXPLAIN QUERY PLAN", sqlite), postgres: explained("EXPLAIN", postgres) },
  };
  const lines = await db.write("counted", function* (): Work<Line[]> {
    if (db.dialect === "postgres") yield* all(noSeqScan, {});
    const { rows } = yield { query: plan, values };
    return rows as Line[];
  });
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}

/** The same database, which notes the statements that are read through it. */
function noting(db: Database): { db: Database; steps: Step[] } {
  const steps: Step[] = [];
  const read: Database["read"] = (work) =>
    db.read(function* () {
      const inner = work();
      let step = inner.next();
      while (!step.done) {
        steps.push(step.value);
        step = inner.next(yield step.value);
      }
      return step.value;
    });
  return { db: { ...db, read }, steps };
}

const wholeTable: Record<DatabaseKind, RegExp> = {
  "SQLite in memory": /SCAN (?!.*CONSTANT)/,
  "SQLite in a file": /SCAN (?!.*CONSTANT)/,
  PostgreSQL: /Seq Scan/,
};
const sorted = /USE TEMP B-TREE|Sort/;

const everything = { mine: false, visibility: null, serverType: null, benchmarkMode: null, serverId: null };
const position = { at: noon, id: "x" };

eachDatabase((databases, kind) => {
  let db: Database;
  let stores: Stores;
  let steps: Step[];
  beforeAll(async () => {
    const noted = noting(await databases.open());
    ({ db, steps } = noted);
    stores = storesOn(db);
  });

  const plansOf = async (ask: () => Promise<unknown>): Promise<string[]> => {
    steps.length = 0;
    await ask();
    return Promise.all(steps.map((step) => planOf(db, step)));
  };

  async function seeded() {
    const account = await newAccount(stores);
    const { digest } = await newToken(stores, account);
    const { server, code } = await newServer(stores, account);
    return { account, token: digest, server, credential: await verify(stores, code) };
  }

  describe("by an index alone", () => {
    const asked: Record<string, (seed: Awaited<ReturnType<typeof seeded>>) => Promise<unknown>> = {
      "a token is presented": ({ token }) => stores.tokens.present(token, noon),
      "a server's credential is presented": ({ credential }) => stores.servers.present(credential, noon),
      "a monitored server is found": ({ server, account }) =>
        stores.servers.findMonitored(server.id, account.id),
      "a server is found": ({ server, account }) => stores.servers.find(server.id, viewer(account)),
      "an account's servers are listed": ({ account }) =>
        stores.servers.list(viewer(account), { verified: null, ownerId: null }, position, 10),
      "an account's groups are listed": ({ account }) => stores.groups.list(account.id),
      "windows are looked at": ({ account }) =>
        stores.rates.peek([{ kind: "account_day", key: account.id, lengthMs: 1, limit: 1 }], noon),
      "a report is found": ({ account }) => stores.reports.find("r", viewer(account), noon),
    };
    it.each(Object.entries(asked))("[OUR-STO-44] %s", async (_, ask) => {
      const seed = await seeded();
      const plans = await plansOf(() => ask(seed));
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
    });
  });

  describe("by an index and without sorting, from the top and from any page,", () => {
    const lists: Record<
      string,
      (seed: Awaited<ReturnType<typeof seeded>>, after: typeof position | null) => Promise<unknown>
    > = {
      "everybody's servers": ({ account }, after) =>
        stores.servers.list(admin(account), { verified: true, ownerId: null }, after, 10),
      "public reports": (_, after) =>
        stores.reports.list({ accountId: null, admin: false }, everything, after, 10, noon),
      "what a caller may see of all reports": ({ account }, after) =>
        stores.reports.list(viewer(account), everything, after, 10, noon),
      "an author's reports": ({ account }, after) =>
        stores.reports.list(viewer(account), { ...everything, mine: true }, after, 10, noon),
    };
    it.each(Object.entries(lists))("[OUR-STO-44] %s are listed", async (_, list) => {
      const seed = await seeded();
      for (const after of [null, position]) {
        const [plan = ""] = await plansOf(() => list(seed, after));
        expect(plan).not.toMatch(wholeTable[kind]);
        expect(plan).not.toMatch(sorted);
        expect(plan).toMatch(/created_at.*id.*</);
      }
    });

    it("[OUR-STO-44] a server's reports are found by that server", async () => {
      const { account, server } = await seeded();
      for (const mine of [true, false]) {
        const [plan = ""] = await plansOf(() =>
          stores.reports.list(viewer(account), { ...everything, mine, serverId: server.id }, null, 10, noon),
        );
        expect(plan).not.toMatch(wholeTable[kind]);
        expect(plan).toMatch(/server_id|author_id/);
      }
    });
  });
}, sharedKinds);
