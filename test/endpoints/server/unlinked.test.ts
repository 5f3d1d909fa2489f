import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import { unlinkServer } from "../../../src/actions/server/unlink-server.ts";
import { asPerson } from "../../support/as-person.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type TestService,
} from "../../support/service.ts";
import { handClock } from "../../support/clock.ts";
import { table, type Cell, type Things } from "../access/ownership-table.ts";
import { forgetCounts } from "../../rest/rows.ts";
import { absentThings, thingsOf } from "../../support/owned-things.ts";

let service: TestService;
let owner: Account;
let things: Things & { credential: string };
let nobody: Things;
const tokens: Record<string, string> = {};
const clock = handClock();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  owner = await service.account("pro");
  things = await thingsOf(service, owner);
  nobody = absentThings(service);
  tokens["owner"] = await service.token(owner);
  tokens["admin"] = await service.token(await service.account("pro", "admin"));
  tokens["somebody"] = await service.token(await service.account("pro"));
  await (
    await asPerson(service, owner)
  )(unlinkServer, { server_id: things.server });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

async function ask(who: string, { route, ask: about }: Cell, of: Things): Promise<Answer> {
  const method = apiEndpoints.find(({ id }) => id === route)?.method ?? "";
  const [path, body] = about(of);
  await forgetCounts(service);
  return service.request(method, `/api/v1${path}`, { token: tokens[who] ?? null, body });
}

describe("an unlinked server", () => {
  it("[OUR-LEA-01] [ACC-26] answers every documented route like one that does not exist: status, bytes and headers", async () => {
    // What stays with the account: itself, its groups, its reports and tests, and its past alerts.
    const { account, group, report, unitTest, alert } = nobody;
    const gone: Things = { ...things, account, group, report, unitTest, alert };
    const comparable = ({ headers, status, text }: Answer) => ({
      ...headers,
      "x-request-id": typeof headers["x-request-id"],
      date: null,
      status,
      text,
    });
    let compared = 0;
    // A new group is nobody's before it is made.
    for (const cell of table.filter(({ route }) => route !== "server_groups.create")) {
      for (const who of Object.keys(tokens)) {
        const [unlinked, absent] = [await ask(who, cell, gone), await ask(who, cell, nobody)];
        expect([cell.route, who, comparable(unlinked)]).toEqual([cell.route, who, comparable(absent)]);
        compared += 1;
      }
    }
    console.log(`unlinked versus absent: ${compared} pairs of answers, 0 differ`);
  });

  it("[OUR-LEA-01] stands in no list, nor does what was its", async () => {
    const bound = ["server", "target", "job", "rule", "profile", "summary", "memoryReport"] as const;
    const lists = apiEndpoints.filter(({ method, path }) => method === "GET" && !path.includes("{"));
    for (const { id, path } of lists) {
      if (["reports.compare", "reports.before_after", "alerts.list"].includes(id)) continue;
      for (const who of Object.keys(tokens)) {
        await forgetCounts(service);
        const query = id === "monitoring.overview" ? "?include_unmonitored=true" : "";
        const answer = await service.request("GET", `/api/v1${path}${query}`, { token: tokens[who] ?? null });
        expect([id, answer.status]).toEqual([id, 200]);
        for (const name of bound) expect(answer.text, `${id} ${name}`).not.toContain(things[name]);
      }
    }
    const groups = await service.request("GET", "/api/v1/server-groups", { token: tokens["owner"] ?? null });
    expect(rowsOf(groups).map((group) => group["server_count"])).toEqual([0]);
  });

  it("[OUR-LEA-03] has told the end of its open alert, which stays in the account's list", async () => {
    const token = tokens["owner"] ?? null;
    const all = rowsOf(await service.request("GET", "/api/v1/alert-events", { token }));
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      id: things.alert,
      status: "resolved",
      resolution_reason: "server_unlinked",
    });
    const open = rowsOf(await service.request("GET", "/api/v1/alert-events?status=open", { token }));
    expect(open).toEqual([]);
    const ofServer = await service.request("GET", `/api/v1/alert-events?server_id=${things.server}`, {
      token,
    });
    expect(rowsOf(ofServer)).toEqual([]);
  });

  it("[OUR-LEA-05] leaves its report and its single test to their author, who is told no server", async () => {
    const token = tokens["owner"] ?? null;
    for (const path of [`/reports/${things.report}`, `/unit-tests/${things.unitTest}`]) {
      const { status, json } = await service.request("GET", `/api/v1${path}`, { token });
      expect([status, json["server_id"]]).toEqual([200, null]);
    }
  });

  it("[OUR-LEA-02] has no credential: its plugin is told that it was revoked, on every route", async () => {
    for (const path of [
      "heartbeat",
      "samples",
      "events",
      "reports",
      "unit-tests",
      "profiles",
      "memory-reports",
    ]) {
      const answer = await service.request("POST", `/plugin/v1/${path}`, {
        token: things.credential,
        body: {},
      });
      expect([path, answer.status, answer.json["error"]]).toEqual([path, 401, "token_revoked"]);
    }
  });
});
