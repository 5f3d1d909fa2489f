import { changeRole } from "../../../src/services/access/change-role.ts";
import { changePlan } from "../../../src/services/access/change-plan.ts";
import { selectPresentedToken, updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { scopes } from "../../../src/core/access/scope.ts";
import { apiEndpoints } from "../../../src/endpoints/api/registry.ts";
import { startTestService, type Answer, type TestService } from "../../support/service.ts";
import { handClock, hourMs, minuteMs } from "../../support/clock.ts";
import { windowsOf } from "./windows-of.ts";

let service: TestService;
let clock = handClock();
beforeEach(async () => {
  clock = handClock();
  service = await startTestService({ clock: clock.now });
});
afterEach(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const get = (path: string, token: string): Promise<Answer> =>
  service.request("GET", `/api/v1${path}`, { token });
const errorOf = async (path: string, token: string): Promise<unknown> =>
  (await get(path, token)).json["error"] ?? "none";

async function revoke(token: string): Promise<void> {
  const { db, secrets } = service.app;
  const found = await db.read(selectPresentedToken, secrets.digest(token), clock.now());
  await db.write(updateTokenRevoked, found?.token.id ?? "", clock.now());
}

/** Tokens made a minute apart, oldest first. */
async function tokensOf(account: Account, count: number): Promise<string[]> {
  const made = [];
  for (let index = 0; index < count; index += 1) {
    clock.advance(minuteMs);
    made.push(await service.token(account));
  }
  return made;
}

describe("what a token may do is worked out at every call", () => {
  it("[ACC-09] [ACC-10] a lost role is lost for the very next call, and back with the next", async () => {
    const owner = await service.account("enterprise");
    const token = await service.token(owner);
    const setRole = (...change: Parameters<typeof changeRole>) => service.app.db.write(changeRole, ...change);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await get("/servers", token)).status).toBe(200);
      await setRole(owner.id, "suspended", Date.now());
      const refused = await get("/servers", token);
      expect([refused.status, refused.json["error"], refused.json["required_scope"]]).toEqual([
        403,
        "missing_scope",
        "servers:read",
      ]);
      await setRole(owner.id, "user", Date.now());
    }
  });

  it("[ACC-28] a demoted admin sees nothing foreign in the very next call", async () => {
    const { id } = await service.server(await service.account());
    const admin = await service.account("enterprise", "admin");
    await service.account("free", "admin");
    const token = await service.token(admin);
    const rename = () => service.request("PATCH", `/api/v1/servers/${id}`, { token, body: { name: "B" } });
    expect((await rename()).json["error"]).toBe("not_owner");
    await service.app.db.write(changeRole, admin.id, "user", Date.now());
    expect((await rename()).json["error"]).toBe("not_found");
    expect((await get("/servers", token)).text).not.toContain(id);
  });

  it("[ACC-34] [ACC-33] GET /token tells the scopes of this moment", async () => {
    const owner = await service.account("pro");
    const token = await service.token(owner, ["servers:read", "reports:read"]);
    expect((await get("/token", token)).json).toMatchObject({
      scopes: ["reports:read", "servers:read"],
      available_scopes: scopes,
    });
    await service.app.db.write(changeRole, owner.id, "suspended", Date.now());
    expect((await get("/token", token)).json).toMatchObject({
      scopes: [],
      available_scopes: [],
      account: { role: "suspended" },
      token: { scopes: ["reports:read", "servers:read"] },
    });
  });

  it("[ACC-10] a lapsed plan changes limit and monitoring with the very next call", async () => {
    const owner = await service.account("enterprise");
    const server = await service.server(owner);
    const token = await service.token(owner);
    const body = () => ({ sent_at: new Date(clock.now()).toISOString(), plugin_version: "1" });
    const beat = async () =>
      (await service.request("POST", "/plugin/v1/heartbeat", { token: server.credential, body: body() }))
        .json;
    expect([windowsOf(await get("/servers", token)).limit, (await beat())["site_step"]]).toEqual([500, "on"]);
    await service.app.db.write(changePlan, owner.id, "free", service.app.clock());
    expect(windowsOf(await get("/servers", token)).limit).toBe(10);
    expect(await beat()).toMatchObject({ site_step: "on_plan_lapsed", accepted: false });
    await service.app.db.write(changePlan, owner.id, "pro", service.app.clock());
    expect([windowsOf(await get("/servers", token)).limit, (await beat())["site_step"]]).toEqual([50, "on"]);
  });

  it("[ERR-10] [ERR-11] a revoked token and one at its end are refused in that very moment", async () => {
    const owner = await service.account("pro");
    const revoked = await service.token(owner);
    const ending = await service.token(owner, scopes, { expiresAt: clock.now() + hourMs });
    clock.advance(hourMs - 1);
    expect([await errorOf("/servers", revoked), await errorOf("/servers", ending)]).toEqual(["none", "none"]);
    await revoke(revoked);
    clock.advance(1);
    expect([await errorOf("/servers", revoked), await errorOf("/servers", ending)]).toEqual([
      "token_revoked",
      "token_expired",
    ]);
  });
});

describe("scopes", () => {
  it("[ACC-11] [ACC-18] [ERR-12] every route asks for its own scope and names it; all the others do not open it", async () => {
    const owner = await service.account("enterprise");
    for (const { method, path, access, example, bodyFields } of apiEndpoints) {
      if (access.face !== "api" || access.scope === null) continue;
      const others = await service.token(
        owner,
        scopes.filter((scope) => scope !== access.scope),
      );
      const members = Object.entries(example.input as object).filter(([name]) => bodyFields.includes(name));
      const url = `/api/v1${path.replaceAll(/\{\w+\}/g, service.app.secrets.newId(service.app.clock()))}`;
      const ask = (token: string) =>
        service.request(method, url, {
          token,
          ...(bodyFields.length > 0 && { body: Object.fromEntries(members) }),
        });
      const { status, json } = await ask(others);
      expect([path, status, json["error"], json["required_scope"]]).toEqual([
        path,
        403,
        "missing_scope",
        access.scope,
      ]);
      expect((await ask(await service.token(owner, [access.scope]))).json["error"]).not.toBe("missing_scope");
    }
  });

  it("[ACC-19] [ACC-21] routes open to anonymous callers are those declared so; the rest is unauthorized", async () => {
    for (const { method, path, access } of apiEndpoints) {
      const { json } = await service.request(method, `/api/v1${path.replaceAll(/\{\w+\}/g, "x")}`);
      const anonymous = access.face === "api" && access.anonymous === true;
      expect([path, json["error"] === "unauthorized"]).toEqual([path, !anonymous]);
    }
  });
});

describe("the plan's number of tokens", () => {
  it("[ACC-24] [ACC-22] [ERR-14] after a lapse the most recent ones work on, the others are refused and not counted", async () => {
    const owner = await service.account("enterprise");
    const tokens = await tokensOf(owner, 7);
    const working = async () => {
      const errors = [];
      for (const token of tokens) errors.push(await errorOf("/token", token));
      return errors
        .map((error) => (error === "none" ? "+" : error === "token_quota_exceeded" ? "-" : error))
        .join("");
    };
    expect(await working()).toBe("+++++++");
    await service.app.db.write(changePlan, owner.id, "pro", service.app.clock());
    expect(await working()).toBe("--+++++");
    await service.app.db.write(changePlan, owner.id, "free", service.app.clock());
    expect(await working()).toBe("------+");
    const refused = await get("/servers", tokens[0] ?? "");
    expect([refused.status, refused.json["error"]]).toEqual([403, "token_quota_exceeded"]);
    expect(windowsOf(await get("/servers", tokens[6] ?? ""))).toMatchObject({ window: "day", remaining: 9 });
  });

  it("[ACC-24] revoked and expired tokens take nobody's place", async () => {
    const owner = await service.account("free");
    const [old = "", short = "", last = ""] = [
      ...(await tokensOf(owner, 1)),
      await service.token(owner, scopes, { createdAt: clock.now() + 1, expiresAt: clock.now() + hourMs }),
      await service.token(owner, scopes, { createdAt: clock.now() + 2 }),
    ];
    expect([
      await errorOf("/token", old),
      await errorOf("/token", short),
      await errorOf("/token", last),
    ]).toEqual(["token_quota_exceeded", "token_quota_exceeded", "none"]);
    await revoke(last);
    expect([await errorOf("/token", old), await errorOf("/token", short)]).toEqual([
      "token_quota_exceeded",
      "none",
    ]);
    clock.advance(hourMs);
    expect(await errorOf("/token", old)).toBe("none");
  });
});
