import { changeRole } from "../../../src/services/access/change-role.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import type { Role } from "../../../src/core/access/scope.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import {
  roomyPlans,
  rowsOf,
  startTestService,
  type Answer,
  type TestService,
} from "../../support/service.ts";
import { handClock } from "../../support/clock.ts";
import { roles, table, whose, type Cell, type Things, type Whose } from "./ownership-table.ts";
import { forgetCounts } from "../../rest/rows.ts";
import { absentThings, thingsOf } from "../../support/owned-things.ts";

let service: TestService;
const clock = handClock();
const callers = new Map<Role, { account: Account; token: string; things: Record<Whose, Things> }>();

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: clock.now });
  const nobody = absentThings(service);
  const foreign = await thingsOf(service, await service.account());
  for (const role of roles) {
    const account = await service.account("pro");
    const own = await thingsOf(service, account);
    await service.app.db.write(changeRole, account.id, role, Date.now());
    callers.set(role, {
      account,
      token: await service.token(account),
      things: { own, foreign, absent: nobody },
    });
  }
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** One call with everybody's windows as if nobody had called yet, so that only what is asked can make a difference. */
async function ask(role: Role, { route, ask: about }: Cell, about_: Whose): Promise<Answer> {
  const caller = callers.get(role);
  const method = apiEndpoints.find(({ id }) => id === route)?.method;
  if (!caller || !method) throw new Error(`No ${role} or no route ${route}.`);
  const [path, body] = about(caller.things[about_]);
  await forgetCounts(service);
  return service.request(method, `/api/v1${path}`, { token: caller.token, body });
}

describe("who may see and change what", () => {
  it("[ACC-26] [ACC-28] [ACC-29] [ACC-30] every route by own, foreign and absent things, for users, admins and the suspended", async () => {
    expect(new Set(table.map(({ route }) => route))).toEqual(new Set(apiEndpoints.map(({ id }) => id)));
    const wrong: string[] = [];
    for (const cell of table) {
      for (const role of roles) {
        const statuses = [];
        for (const one of whose) statuses.push((await ask(role, cell, one)).status);
        if (statuses.join(" ") !== cell[role])
          wrong.push(`${cell.route} ${role}: ${statuses.join(" ")}, not ${cell[role]}`);
      }
    }
    console.log(`ownership: ${table.length * roles.length * whose.length} cells, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  });

  /** Another's servers, and reports: of two, the 404 is then for the one that is absent. */
  const seenByAdmins: ReadonlySet<string> = new Set(["servers.list", "reports.before_after"]);

  it("[ACC-26] [ACC-27] a foreign thing and an absent one: the same bytes, the same headers", async () => {
    let compared = 0;
    for (const cell of table) {
      for (const role of roles) {
        const [, foreignStatus, absentStatus] = cell[role].split(" ");
        if (foreignStatus !== absentStatus || (role === "admin" && seenByAdmins.has(cell.route))) continue;
        const [foreign, absent] = [await ask(role, cell, "foreign"), await ask(role, cell, "absent")];
        expect([cell.route, role, foreign.text]).toEqual([cell.route, role, absent.text]);
        const comparable = ({ headers }: Answer) => ({
          ...headers,
          "x-request-id": typeof headers["x-request-id"],
          date: null,
        });
        expect(comparable(foreign)).toEqual(comparable(absent));
        compared += 1;
      }
    }
    console.log(`foreign versus absent: ${compared} pairs of answers, 0 differ`);
  });

  it("[ACC-29] [ERR-16] an admin's refusal is not_owner, a user's not_found", async () => {
    for (const cell of table.filter(({ admin }) => admin === "200 403 404")) {
      expect((await ask("admin", cell, "foreign")).json["error"]).toBe("not_owner");
      expect((await ask("user", cell, "foreign")).json["error"]).toBe("not_found");
    }
  });

  it("[ACC-28] [SRV-10] an admin's list has everybody's servers; owned_by_you and group_id tell them apart", async () => {
    const cell = table.find(({ route }) => route === "servers.list");
    if (!cell) throw new Error("no list");
    const [row] = rowsOf(await ask("admin", cell, "foreign"));
    expect(row).toMatchObject({
      id: callers.get("user")?.things.foreign.server,
      owned_by_you: false,
      group_id: null,
    });
    expect(rowsOf(await ask("user", cell, "foreign"))).toEqual([]);
  });

  it("[ACC-26] a foreign group given to an own server is 404 and changes nothing", async () => {
    for (const role of ["user", "admin"] as const) {
      const caller = callers.get(role);
      const put = (group_id: string | undefined) =>
        service.request("PUT", `/api/v1/servers/${caller?.things.own.server}/group`, {
          token: caller?.token ?? null,
          body: { group_id },
        });
      const [foreign, absent] = [
        await put(caller?.things.foreign.group),
        await put(caller?.things.absent.group),
      ];
      expect([foreign.status, foreign.text]).toEqual([404, absent.text]);
      expect((await put(caller?.things.own.group)).json["group_id"]).toBe(caller?.things.own.group);
    }
  });
});
