import { selectActivity } from "../../../src/store/access/activity.ts";
import { selectPresentedToken, selectTokens } from "../../../src/store/access/tokens.ts";
import { selectWindowStates } from "../../../src/store/access/rate-windows.ts";
import { rulesOf, alertRuleOfAccount } from "../../../src/store/alert/alert-rules.ts";
import { selectAlerts, alertOfAccount } from "../../../src/store/alert/alerts.ts";
import { selectEvents } from "../../../src/store/event/timeline.ts";
import { maintenanceOf } from "../../../src/store/maintenance/maintenance.ts";
import { selectFleet } from "../../../src/store/monitoring/overview.ts";
import {
  fromTheFirst,
  selectFleetIds,
  selectFleetOwner,
  selectStandings,
} from "../../../src/store/monitoring/standings.ts";
import { recipientOf } from "../../../src/store/notice/recipients.ts";
import { selectInbox } from "../../../src/store/notice/notices.ts";
import { claimDispatch } from "../../../src/services/notice/claim-dispatch.ts";
import { selectReports } from "../../../src/store/report/report-lists.ts";
import { selectReport } from "../../../src/store/report/reports.ts";
import { selectServers, selectServer, selectMonitoredServer } from "../../../src/store/server/servers.ts";
import { serverOfCredential } from "../../../src/services/server/server-of-credential.ts";
import { selectGroups } from "../../../src/store/server/groups.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database, Step } from "../../../src/store/engine/database.ts";
import { eachDatabase, sharedKinds } from "../../support/databases.ts";
import { everyAlert } from "../alert/alerting.ts";
import { noting, planOf, sorted, wholeTable } from "./planning.ts";
import { admin, newAccount, newServer, newToken, noon, verify, viewer } from "../engine/rows.ts";

const everything = { mine: false, visibility: null, serverType: null, benchmarkMode: null, serverId: null };
const position = { at: noon, id: "x" };

eachDatabase((databases, kind) => {
  let db: Database;
  let steps: Step[];
  beforeAll(async () => {
    const noted = noting(await databases.open());
    ({ db, steps } = noted);
  });

  const plansOf = async (ask: () => Promise<unknown>): Promise<string[]> => {
    steps.length = 0;
    await ask();
    return Promise.all(steps.map((step) => planOf(db, step)));
  };

  async function seeded() {
    const account = await newAccount(db);
    const { digest } = await newToken(db, account);
    const { server, code } = await newServer(db, account);
    return { account, token: digest, server, credential: await verify(db, code) };
  }

  describe("by an index alone", () => {
    const asked: Record<string, (seed: Awaited<ReturnType<typeof seeded>>) => Promise<unknown>> = {
      "a token is presented": ({ token }) => db.read(selectPresentedToken, token, noon),
      "a server's credential is presented": ({ credential }) => serverOfCredential(db, credential, noon),
      "a monitored server is found": ({ server, account }) =>
        db.read(selectMonitoredServer, server.id, account.id),
      "a server is found": ({ server, account }) => db.read(selectServer, server.id, viewer(account)),
      "an account's servers are listed": ({ account }) =>
        db.read(selectServers, viewer(account), { verified: null, ownerId: null }, position, 10),
      "an account's groups are listed": ({ account }) => db.read(selectGroups, account.id),
      "an account's tokens are listed": ({ account }) => db.read(selectTokens, account.id, noon),
      "windows are looked at": ({ account }) =>
        db.read(selectWindowStates, [{ kind: "account_day", key: account.id, lengthMs: 1, limit: 1 }], noon),
      "a maintenance window is found": ({ server }) => db.read(maintenanceOf, server.id),
      "servers of a fleet are read, with their alerts in progress": ({ account, server }) =>
        db.read(selectFleet, account.id, [server.id]),
      "the servers of a fleet are listed": ({ account }) =>
        db.read(selectFleetIds, account.id, true, fromTheFirst, 10),
      "the standings of a fleet are read": ({ account }) =>
        db.read(selectStandings, account.id, true, fromTheFirst, 10),
      "a fleet's owner is read": ({ account }) => db.read(selectFleetOwner, account.id),
      "a report is found": ({ account }) => db.read(selectReport, "r", viewer(account), noon),
      "a server's rules are listed": ({ server }) => db.read(rulesOf, server.id),
      "a rule is found": ({ account }) => db.read(alertRuleOfAccount, "r", account.id),
      "an alert is found": ({ account }) => db.read(alertOfAccount, "a", account.id),
      "a message that is due is looked for": () => claimDispatch(db, noon),
      "whom to tell is looked up": ({ account }) => db.read(recipientOf, account.id),
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
        db.read(selectServers, admin(account), { verified: true, ownerId: null }, after, 10),
      "public reports": (_, after) =>
        db.read(selectReports, { accountId: null, admin: false }, everything, after, 10, noon),
      "what a caller may see of all reports": ({ account }, after) =>
        db.read(selectReports, viewer(account), everything, after, 10, noon),
      "what tokens did": ({ account }, after) => db.read(selectActivity, account.id, null, after, 10),
      "an author's reports": ({ account }, after) =>
        db.read(selectReports, viewer(account), { ...everything, mine: true }, after, 10, noon),
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
      const everything = { category: null, severity: null, source: null, type: null, from: 0 };
      for (const [filter, index] of [
        [everything, /server_event_newest/],
        [{ ...everything, source: "x" }, /server_event_by_source/],
        [{ ...everything, type: "x", source: "x" }, /server_event_by_type/],
      ] as const) {
        for (const [after, to] of [
          [null, null],
          [null, noon],
          [position, noon],
        ] as const) {
          const [plan = ""] = await plansOf(() =>
            db.read(selectEvents, server.id, { ...filter, to }, after, 10),
          );
          expect(plan).not.toMatch(wholeTable[kind]);
          expect(plan).not.toMatch(sorted);
          expect(plan).toMatch(index);
          expect(plan).toMatch(/timeline_at.*id.*</);
        }
      }
    });

    it("[OUR-STO-44] an account's alerts and its in-app messages are listed", async () => {
      const { account } = await seeded();
      for (const after of [null, position]) {
        const lists = [
          () => db.read(selectAlerts, account.id, everyAlert, after, 10),
          () => db.read(selectAlerts, account.id, { ...everyAlert, status: "open" }, after, 10),
          () => db.read(selectInbox, account.id, after, 10),
        ];
        for (const list of lists) {
          const [plan = ""] = await plansOf(list);
          expect(plan).not.toMatch(wholeTable[kind]);
          expect(plan).not.toMatch(sorted);
          expect(plan).toMatch(/account_id.*(opened_at|created_at).*id.*</);
        }
      }
    });

    it.each([
      ["of a server type", { serverType: "paper" }, ["report_public_by_type", "report_of_author_by_type"]],
      ["of a mode", { benchmarkMode: "standard" }, ["report_public_by_mode", "report_of_author_by_mode"]],
      [
        "of both",
        { serverType: "paper", benchmarkMode: "standard" },
        // Of tables without rows the one with both is no better than the others.
        ["report_public_by_(both|type|mode)", "report_of_author_by_(both|type|mode)"],
      ],
      ["that are public", { visibility: "public" }, ["report_public_newest"]],
    ] as const)("reports %s are found by them", async (_, filter, indexes) => {
      const { account } = await seeded();
      const plans = await plansOf(() =>
        db.read(selectReports, viewer(account), { ...everything, ...filter }, position, 10, noon),
      );
      for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
      for (const index of indexes) {
        const plan = plans.find((text) => new RegExp(`\\b${index}\\b`).test(text));
        expect([index, plan]).toEqual([index, expect.stringMatching(/created_at.*id.*</)]);
        expect(plan).not.toMatch(sorted);
      }
    });

    it("[OUR-STO-44] a server's reports are found by that server", async () => {
      const { account, server } = await seeded();
      for (const mine of [true, false]) {
        const plans = await plansOf(() =>
          db.read(
            selectReports,
            viewer(account),
            { ...everything, mine, serverId: server.id },
            null,
            10,
            noon,
          ),
        );
        for (const plan of plans) expect(plan).not.toMatch(wholeTable[kind]);
        expect(plans.at(-1)).toMatch(/report_of_server_newest/);
      }
    });
  });
}, sharedKinds);
