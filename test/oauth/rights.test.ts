import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { readScopes, scopes } from "../../src/core/access/scope.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { countActiveConnectors, selectPresentedAccess } from "../../src/store/access/connectors.ts";
import { startTestService, type Answer, type Json, type TestService } from "../support/service.ts";
import { patienceMs } from "../support/patience.ts";
import { signedIn } from "../support/visitor.ts";
import { callTool, program, tokensIn, type Program } from "./program.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plans: { free: { tokens: 1 } } });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const active = (account: Account): Promise<number> =>
  service.app.db.read(countActiveConnectors, account.id, service.app.clock());

const idOf = async (access: string): Promise<string> => {
  const { db, secrets, clock } = service.app;
  return (await db.read(selectPresentedAccess, secrets.digest(access), clock()))?.token.id ?? "";
};

const makesGroup = async (access: string): Promise<number> =>
  (await callTool(service, access, "create_server_group", { name: `G ${Math.random()}` })).status;

const infoOf = (answer: Answer): Json =>
  JSON.parse((answer.json["result"] as { content: readonly [{ text: string }] }).content[0].text) as Json;

/** Lets the program ask, answers the form so, and redeems the code. */
async function asks(one: Program, scope: string, fields: Record<string, string | readonly string[]>) {
  const { visitor, location } = await one.authorize({ scope });
  const { text } = await visitor.get(location);
  const allowed = await visitor.send(location, "allow", fields);
  const { headers } = await visitor.get(allowed.headers.location ?? "");
  const code = new URL(headers.location ?? "https://none.example").searchParams.get("code");
  return { text, status: allowed.status, redeem: async () => tokensIn(await one.redeem(code ?? "")) };
}

const ticked = (text: string): string[] =>
  [...text.matchAll(/<input type="checkbox"([^>]*)>/g)]
    .filter(([, box = ""]) => box.includes("checked"))
    .map(([, box = ""]) => /value="([^"]*)"/.exec(box)?.[1] ?? "");

const wanted = [...readScopes, "servers:write"];

it("[OUR-OAU-30] a program that asks for more gets it for the connection that it has", async () => {
  const account = await service.account("free");
  const one = await program(service, account);
  const first = await one.connect();
  const id = await idOf(first.access);
  expect(await makesGroup(first.access)).toBe(403);
  const step = await asks(one, wanted.join(" "), { scope: wanted, widens: id });
  expect(step.text).toContain("This program is connected already, and asks for more:");
  expect(step.text).toContain("<li>Rename servers, change who sees them, sort them into groups</li>");
  expect(ticked(step.text).toSorted()).toEqual(wanted.toSorted());
  expect(step.text).not.toContain("(it has this)");
  // The only token of the plan is in use, by this connection.
  expect(step.text).toContain(`<input type="hidden" name="widens" value="${id}"/>`);
  expect(step.status).toBe(303);
  const second = await step.redeem();
  expect(second.scope.split(" ").toSorted()).toEqual(wanted.toSorted());
  expect(await active(account)).toBe(1);
  for (const access of [first.access, second.access]) {
    expect(await makesGroup(access)).toBe(200);
    expect(await idOf(access)).toBe(id);
  }
  // The tokens that follow have it as well.
  expect(await makesGroup(tokensIn(await one.refresh(first.refresh)).access)).toBe(200);
});

it("[OUR-OAU-30] where the plan has a place the person may choose a new connection", async () => {
  const account = await service.account("pro");
  const one = await program(service, account);
  const first = await one.connect();
  const step = await asks(one, wanted.join(" "), { scope: wanted, widens: "" });
  expect(step.text).toContain("A new connection, which counts as one more token");
  const second = await step.redeem();
  expect(await active(account)).toBe(2);
  expect([await makesGroup(first.access), await makesGroup(second.access)]).toEqual([403, 200]);
  // A program that asks for what it has is asked as before.
  const again = await asks(one, "reports:read", { scope: "reports:read" });
  expect(again.text).not.toContain("connected already");
  const some = await asks(one, "reports:write", { scope: "reports:write", widens: "" });
  // The newest connection has one right.
  expect(some.text.match(/\(it has this\)/g)).toHaveLength(1);
});

it("[OUR-OAU-30] nobody widens what is another program's, another person's or gone", async () => {
  const account = await service.account("pro");
  const [one, other] = [await program(service, account), await program(service, account)];
  const stranger = await program(service, await service.account("pro"));
  const ids = [
    await idOf((await other.connect()).access),
    await idOf((await stranger.connect()).access),
    "019a9f5e-1d00-7000-8000-000000000001",
  ];
  const mine = await one.connect();
  for (const widens of ids) {
    const { visitor, location } = await one.authorize({ scope: wanted.join(" ") });
    const { status, text } = await visitor.send(location, "allow", { scope: wanted, widens });
    expect(status).toBe(400);
    expect(text).toContain("That connection has ended meanwhile. Reload this page.");
  }
  expect(await makesGroup(mine.access)).toBe(403);
});

it("[OUR-OAU-31] in Settings a right is given and taken away, from the next call on", async () => {
  const account = await service.account("pro");
  const one = await program(service, account);
  const { access, refresh } = await one.connect();
  const id = await idOf(access);
  const browser = await signedIn(service, account);
  const page = `/settings/security/rights/${id}`;
  expect((await browser.get("/settings/security")).text).toContain(`href="${page}"`);
  expect(ticked((await browser.get(page)).text).toSorted()).toEqual(readScopes.toSorted());
  expect((await browser.send(page, "change", { scopes: wanted })).status).toBe(303);
  expect(await makesGroup(access)).toBe(200);
  const next = tokensIn(await one.refresh(refresh));
  expect(await makesGroup(next.access)).toBe(200);
  expect((await browser.send(page, "change", { scopes: ["reports:read"] })).status).toBe(303);
  expect(await makesGroup(next.access)).toBe(403);
  expect(infoOf(await callTool(service, next.access))["scopes"]).toEqual(["reports:read"]);
  const nothing = await browser.send(page, "change", {});
  expect([nothing.status, nothing.text.includes("Tick at least one right")]).toEqual([400, true]);
  expect((await browser.send(page, "change", { scopes: ["unheard:of"] })).status).toBe(400);
  const other = await signedIn(service, await service.account("pro"));
  expect((await other.get(page)).status).toBe(404);
  // The log is written about a second later.
  await vi.waitFor(
    async () => {
      expect((await browser.get("/settings/security")).text).toContain("Rights of a token changed");
    },
    { timeout: patienceMs, interval: 100 },
  );
});

it("[OUR-OAU-31] a token made by hand is changed as well, and one that asked for less gets no more", async () => {
  const account = await service.account("pro");
  const browser = await signedIn(service, account);
  const secret = await service.token(account, ["reports:read"]);
  const link = /settings\/security\/rights\/([0-9a-f-]{36})/.exec(
    (await browser.get("/settings/security")).text,
  );
  await browser.send(`/settings/security/rights/${link?.[1]}`, "change", { scopes: ["servers:read"] });
  expect((await service.request("GET", "/api/v1/servers", { token: secret })).status).toBe(200);
  expect((await service.request("GET", "/api/v1/reports?mine=true", { token: secret })).status).toBe(403);
  const one = await program(service, account);
  const whole = await one.connect();
  const narrow = tokensIn(await one.refresh(whole.refresh, { scope: "reports:read" }));
  expect(narrow.scope).toBe("reports:read");
  const id = await idOf(whole.access);
  await browser.send(`/settings/security/rights/${id}`, "change", { scopes: wanted });
  expect(await makesGroup(whole.access)).toBe(200);
  expect(infoOf(await callTool(service, narrow.access))["scopes"]).toEqual(["reports:read"]);
});

it("[OUR-OAU-32] a connection says what it may not do, and where that is changed", async () => {
  const account = await service.account("pro");
  const { access } = await (await program(service, account)).connect();
  const info = infoOf(await callTool(service, access));
  const writes = scopes.filter((scope) => !readScopes.includes(scope));
  expect(info["connector_notes"]).toEqual([
    expect.stringContaining(`This connection may not: ${writes.join(", ")};`),
  ]);
  expect(info["urls"]).toEqual([`${service.app.baseUrl}/settings/security`]);
  const whole = await service.token(account, scopes);
  expect(infoOf(await callTool(service, whole))).not.toHaveProperty("connector_notes");
  await service.app.db.write(changePlan, account.id, "free", service.app.clock());
});
