import { beforeAll, describe, expect, it } from "vitest";
import type { Database, Step } from "../../../src/store/engine/database.ts";
import { storesOn } from "../../../src/services/stores.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { everyAlert } from "../alert/alerting.ts";
import { noting, planOf, sorted, wholeTable } from "./planning.ts";
import { admin, newAccount, newServer, newToken, noon, verify, viewer, type Stores } from "../engine/rows.ts";

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
      "an account's tokens are listed": ({ account }) => stores.tokens.list(account.id, noon),
      "windows are looked at": ({ account }) =>
        stores.rates.peek([{ kind: "account_day", key: account.id, lengthMs: 1, limit: 1 }], noon),
      "a maintenance window is found": ({ server }) => stores.maintenance.find(server.id),
      "a fleet is read, with its alerts in progress": ({ account }) => stores.overview.fleet(account.id),
      "a report is found": ({ account }) => stores.reports.find("r", viewer(account), noon),
      "a server's rules are listed": ({ server }) => stores.alertRules.list(server.id),
      "a rule is found": ({ account }) => stores.alertRules.find("r", account.id),
      "an alert is found": ({ account }) => stores.alerts.find("a", account.id),
      "a message that is due is looked for": () => stores.notices.claimDispatch(noon),
      "whom to tell is looked up": ({ account }) => stores.notices.recipient(account.id),
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
      "what tokens did": ({ account }, after) => stores.activity.list(account.id, null, after, 10),
      "an author's reports": ({ account }, after) =>
        stores.reports.list(viewer(account), { ...everything, mine: true }, after, 10, noon),
    };
    it.each(Object.entries(lists))("[OUR-STO-44] %s are listed", async (_, list) => {
      const seed = await seeded();
      for (const after of [null, position]) {
        const [plan = ""] = await plansOf(() => list(seed, after));
        expect(plan).not.toMatch(wholeTable[kind]);
        expect(plan).not.toMatch(sorted);
        expect(plan).toMatch(/(created_)?at.*id.*</);
      }
    });

    it("[OUR-STO-44] a server's timeline is listed, between any instants", async () => {
      const { server } = await seeded();
      const filter = { category: null, severity: null, source: "x", type: null, from: 0 };
      for (const after of [null, position]) {
        for (const to of [null, noon]) {
          const [plan = ""] = await plansOf(() =>
            stores.events.list(server.id, { ...filter, to }, after, 10),
          );
          expect(plan).not.toMatch(wholeTable[kind]);
          expect(plan).not.toMatch(sorted);
          expect(plan).toMatch(/server_event_newest/);
          expect(plan).toMatch(/timeline_at.*id.*</);
        }
      }
    });

    it("[OUR-STO-44] an account's alerts and its in-app messages are listed", async () => {
      const { account } = await seeded();
      for (const after of [null, position]) {
        const lists = [
          () => stores.alerts.list(account.id, everyAlert, after, 10),
          () => stores.alerts.list(account.id, { ...everyAlert, status: "open" }, after, 10),
          () => stores.notices.inbox(account.id, after, 10),
        ];
        for (const list of lists) {
          const [plan = ""] = await plansOf(list);
          expect(plan).not.toMatch(wholeTable[kind]);
          expect(plan).not.toMatch(sorted);
          expect(plan).toMatch(/account_id.*(opened_at|created_at).*id.*</);
        }
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
