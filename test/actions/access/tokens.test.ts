import { changePlan } from "../../../src/services/access/change-plan.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAsPerson, type CalledByPages } from "../../../src/contract/call/call-as-person.ts";
import { personOf, startSession } from "../../../src/contract/call/person.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { Refusal } from "../../../src/core/errors.ts";
import { createToken } from "../../../src/actions/access/create-token.ts";
import { listTokens } from "../../../src/actions/access/list-tokens.ts";
import { revokeToken } from "../../../src/actions/access/revoke-token.ts";
import { handClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const dayMs = 86_400_000;
const wanted = { name: "laptop", scopes: ["reports:read" as const] };

let service: TestService;
const clock = handClock();
beforeAll(async () => {
  service = await startTestService({ clock: clock.now });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** Calls as that account's person, as of this moment. */
async function as<C extends CalledByPages>(
  account: Account,
  called: C,
  input: Parameters<typeof callAsPerson<C>>[3],
) {
  const { app } = service;
  const { secret } = await startSession(app, account, null, clock.now());
  const person = await personOf(app, secret, "", clock.now());
  return callAsPerson(app, called, person, input, "test");
}

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );

const callWith = async (token: string): Promise<unknown> => {
  const { status, json } = await service.request("GET", "/api/v1/reports", { token });
  return json["error"] ?? status;
};

describe("creation", () => {
  it("[ACC-07] takes a name, a life and scopes, and makes a token that works until it ends", async () => {
    const account = await service.account("pro");
    const made = await as(account, createToken, {
      ...wanted,
      expires_in_days: 1,
      scopes: ["servers:read", "reports:read", "servers:read"],
    });
    expect(made.token).toMatchObject({ name: "laptop", kind: "token", state: "active", last_used_at: null });
    expect(made.token.scopes).toEqual(["reports:read", "servers:read"]);
    expect(await callWith(made.secret)).toBe(200);
    clock.advance(dayMs);
    expect(await callWith(made.secret)).toBe("token_expired");
    const { token } = await as(account, createToken, wanted);
    expect(Date.parse(token.expires_at) - Date.parse(token.created_at)).toBe(90 * dayMs);
  });

  it.each([
    { ...wanted, name: "" },
    { ...wanted, name: "  \n" },
    { ...wanted, name: "x".repeat(81) },
    { ...wanted, name: "bell\u0007" },
    { ...wanted, expires_in_days: 0 },
    { ...wanted, expires_in_days: 366 },
    { ...wanted, expires_in_days: 1.5 },
    { ...wanted, expires_in_days: NaN },
    { ...wanted, scopes: [] },
    { ...wanted, scopes: ["everything" as "reports:read", "reports:read" as const] },
  ])("[ACC-07] refuses %j", async (input) => {
    const account = await service.account("pro");
    expect(await refusalOf(as(account, createToken, input))).toBe("validation_error");
  });

  it("[ACC-22] [OUR-TKN-02] stops at the plan's number, however many are asked for at once", async () => {
    const account = await service.account("pro");
    const asked = Array.from({ length: 12 }, () => refusalOf(as(account, createToken, wanted)));
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "token_quota_exceeded")).toHaveLength(7);
  });

  it("[ACC-12] [OUR-TKN-08] ticks every scope on every plan, also before the address is verified", async () => {
    const account = await service.account("free", "user", { emailVerified: false });
    const scopes = ["monitoring:write", "auto-bench:write"] as const;
    const { secret } = await as(account, createToken, { name: "all", scopes: [...scopes] });
    const { json } = await service.request("POST", "/api/v1/auto-bench/targets/x/run-now", { token: secret });
    expect(json["error"]).toBe("plan_required");
  });

  it("[ACC-06] is nothing a token can ask for", async () => {
    const token = await service.token(await service.account("pro"));
    const body = { name: "child", scopes: ["reports:read"] };
    for (const path of ["/api/v1/account/tokens", "/api/v1/tokens", "/account/tokens"])
      expect((await service.request("POST", path, { token, body })).status).toBe(404);
    const page = await service.request("POST", "/settings/security", { token, body });
    expect(page.status).toBeGreaterThanOrEqual(400);
  });
});

describe("the list", () => {
  it("[ACC-08] [OUR-TKN-04] has scopes, last use and the day's calls, and looking counts nothing", async () => {
    const account = await service.account("pro");
    const { token, secret } = await as(account, createToken, wanted);
    expect(await as(account, listTokens, {})).toEqual({
      data: [token],
      limit: 5,
      active: 1,
      calls: { limit: 50, used: 0, remaining: 50, reset_at: null },
    });
    await callWith(secret);
    await callWith(secret);
    await service.request("GET", "/api/v1/token", { token: secret });
    for (let look = 0; look < 3; look += 1) {
      const { data, calls } = await as(account, listTokens, {});
      expect(calls).toMatchObject({ limit: 50, used: 2 });
      expect(Date.parse(calls.reset_at ?? "")).toBe(clock.now() + dayMs);
      expect(Date.parse(data[0]?.last_used_at ?? "")).toBe(clock.now());
    }
  });

  it("[ACC-24] [ACC-25] [OUR-TKN-03] after a lapse the newest works, the older one is told and can be revoked, and an upgrade brings it back", async () => {
    const account = await service.account("pro");
    const older = await as(account, createToken, { ...wanted, name: "older" });
    clock.advance(1000);
    const newer = await as(account, createToken, { ...wanted, name: "newer" });
    const statesNow = async () => (await as(account, listTokens, {})).data.map(({ state }) => state);
    const setPlan = (...change: Parameters<typeof changePlan>) => service.app.db.write(changePlan, ...change);
    await setPlan(account.id, "free", clock.now());
    expect(await statesNow()).toEqual(["active", "not_covered"]);
    expect([await callWith(older.secret), await callWith(newer.secret)]).toEqual([
      "token_quota_exceeded",
      200,
    ]);
    expect(await refusalOf(as(account, createToken, wanted))).toBe("token_quota_exceeded");
    await setPlan(account.id, "pro", clock.now());
    expect(await statesNow()).toEqual(["active", "active"]);
    expect([await callWith(older.secret), await callWith(newer.secret)]).toEqual([200, 200]);
    await setPlan(account.id, "free", clock.now());
    await as(account, revokeToken, { token_id: older.token.id });
    expect(await statesNow()).toEqual(["active"]);
    expect([await callWith(older.secret), await callWith(newer.secret)]).toEqual(["token_revoked", 200]);
  });

  it("[OUR-TKN-09] [ACC-25] keeps expired tokens for 30 days, which can be revoked too", async () => {
    const account = await service.account("pro");
    const kept = await as(account, createToken, { ...wanted, expires_in_days: 1 });
    const { token } = await as(account, createToken, { ...wanted, expires_in_days: 2 });
    clock.advance(2 * dayMs);
    expect((await as(account, listTokens, {})).data.map(({ state }) => state)).toEqual([
      "expired",
      "expired",
    ]);
    await as(account, revokeToken, { token_id: token.id });
    clock.advance(29 * dayMs);
    expect((await as(account, listTokens, {})).data.map(({ id }) => id)).toEqual([kept.token.id]);
    clock.advance(1);
    expect((await as(account, listTokens, {})).data).toEqual([]);
  });
});

it("[OUR-TKN-05] revoking refuses the very next call, again changes nothing, and is nobody else's", async () => {
  const [account, other] = [await service.account("pro"), await service.account("enterprise", "admin")];
  const { token, secret } = await as(account, createToken, wanted);
  expect(await refusalOf(as(other, revokeToken, { token_id: token.id }))).toBe("not_found");
  expect(await refusalOf(as(account, revokeToken, { token_id: "nothing" }))).toBe("not_found");
  expect(await callWith(secret)).toBe(200);
  await as(account, revokeToken, { token_id: token.id });
  expect(await callWith(secret)).toBe("token_revoked");
  await as(account, revokeToken, { token_id: token.id });
  expect(await callWith(secret)).toBe("token_revoked");
});
