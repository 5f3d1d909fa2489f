import { countActiveConnectors } from "../../src/store/access/connectors.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { readScopes } from "../../src/core/access/scope.ts";
import { roomyPlans, startTestService, type Answer, type TestService } from "../support/service.ts";
import { callTool, program, tokensIn, type Changes, type Program } from "./program.ts";

const clock = { ahead: 0 };
let service: TestService;
let account: Account;
/** Answers of the token endpoint to what must not be answered with tokens. */
const attempts: Answer[] = [];

beforeAll(async () => {
  service = await startTestService({ plans: roomyPlans, clock: () => Date.now() + clock.ahead });
  account = await service.account();
});
afterAll(async () => {
  const issued = attempts.filter(({ json }) => "access_token" in json || "refresh_token" in json).length;
  console.log(`attempts that must fail: ${attempts.length}, tokens issued = ${issued}`);
  expect(attempts.length).toBeGreaterThan(15);
  expect(issued).toBe(0);
  expect(service.defects).toEqual([]);
  await service.close();
});

async function refused(pending: Promise<Answer>, error: string, status = 400): Promise<void> {
  const answer = await pending;
  attempts.push(answer);
  expect({ status: answer.status, error: answer.json["error"] }).toEqual({ status, error });
}

/** A request that is answered to the program with an error, before any person was asked. */
async function sentBack(one: Program, changes: Changes, error: string): Promise<URL> {
  const { answer, location } = await one.authorize(changes);
  expect(answer.status).toBe(303);
  const { searchParams, origin } = new URL(location);
  expect(origin).toBe("http://127.0.0.1:43210");
  expect(searchParams.get("error")).toBe(error);
  expect(searchParams.get("code")).toBeNull();
  return new URL(location);
}

it("[OUR-OAU-04] a code is redeemed once; a second use revokes what the first one got", async () => {
  const one = await program(service, account);
  const code = await one.code();
  const { access, refresh } = tokensIn(await one.redeem(code));
  expect((await callTool(service, access)).status).toBe(200);
  await refused(one.redeem(code), "invalid_grant");
  const after = await callTool(service, access);
  expect({ status: after.status, error: after.json["error"] }).toEqual({
    status: 401,
    error: "token_revoked",
  });
  await refused(one.refresh(refresh), "invalid_grant");
});

it("[OUR-OAU-04] of two at once one gets tokens", async () => {
  const one = await program(service, account);
  for (let round = 0; round < 5; round += 1) {
    const code = await one.code();
    const answers = await Promise.all([one.redeem(code), one.redeem(code)]);
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ json }) => json["error"] === "invalid_grant").length).toBe(2 - good.length);
  }
});

it("[OUR-OAU-04] a code is good for 60 seconds, and for the program it was issued to", async () => {
  const one = await program(service, account);
  const code = await one.code();
  clock.ahead += 60_001;
  await refused(one.redeem(code), "invalid_grant");
});

it("[OUR-OAU-26] a code that is presented wrongly is spent, and its grant holds no place any more", async () => {
  const one = await program(service, account, {
    redirect_uris: ["http://127.0.0.1/callback", "https://program.example/back"],
  });
  const other = await program(service, account);
  const { db, clock: now, baseUrl } = service.app;
  const active = () => db.read(countActiveConnectors, account.id, now());
  const wrong: [(code: string) => Promise<Answer>, string][] = [
    [(code) => other.redeem(code, { code_verifier: one.verifier }), "invalid_grant"],
    [(code) => one.redeem(code, { code_verifier: undefined }), "invalid_grant"],
    [(code) => one.redeem(code, { code_verifier: "x".repeat(43) }), "invalid_grant"],
    [(code) => one.redeem(code, { code_verifier: "short" }), "invalid_request"],
    [(code) => one.redeem(code, { redirect_uri: "http://127.0.0.1:43211/callback" }), "invalid_grant"],
    [(code) => one.redeem(code, { redirect_uri: "https://program.example/back" }), "invalid_grant"],
    [(code) => one.redeem(code, { redirect_uri: "https://evil.example/" }), "invalid_grant"],
    [(code) => one.redeem(code, { resource: baseUrl }), "invalid_target"],
  ];
  for (const [present, error] of wrong) {
    const before = await active();
    const code = await one.code();
    expect(await active()).toBe(before + 1);
    await refused(present(code), error);
    expect(await active()).toBe(before);
    await refused(one.redeem(code), "invalid_grant");
  }
  console.log(`codes presented wrongly: ${wrong.length}; good for tokens afterwards = 0`);
});

it("[OUR-OAU-05] no challenge, a plain one, or the wrong verifier", async () => {
  const one = await program(service, account);
  await sentBack(one, { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request");
  await sentBack(one, { code_challenge_method: "plain" }, "invalid_request");
  await sentBack(one, { code_challenge_method: undefined }, "invalid_request");
  await sentBack(one, { code_challenge: "short" }, "invalid_request");
  await refused(one.redeem(await one.code(), { code_verifier: undefined }), "invalid_grant");
  await refused(one.redeem(await one.code(), { code_verifier: "x".repeat(43) }), "invalid_grant");
  expect((await one.redeem(await one.code())).status).toBe(200);
});

it("[OUR-OAU-06] a redirect is the registered one letter for letter, but for a loopback port", async () => {
  const one = await program(service, account, {
    redirect_uris: [
      "http://127.0.0.1/callback",
      "https://program.example/back?x=1",
      "cursor://anysphere.cursor/cb",
    ],
  });
  const good = [
    "http://127.0.0.1:1/callback",
    "https://program.example/back?x=1",
    "cursor://anysphere.cursor/cb",
  ];
  for (const redirect of good) {
    const { location } = await one.authorize({ redirect_uri: redirect });
    expect(location, redirect).toMatch(/^\/oauth\/consent\//);
  }
  const bad = [
    "http://127.0.0.1:1/callback/",
    "http://127.0.0.1:1/callback?more=1",
    "http://127.0.0.2:1/callback",
    "http://localhost:1/callback",
    "http://127.0.0.1.evil.example/callback",
    "http://127.0.0.1:1@evil.example/callback",
    "https://program.example:8443/back?x=1",
    "https://program.example/back",
    "https://program.example/back?x=1&y=2",
    "https://evil.example/back?x=1",
    "cursor://anysphere.cursor/other",
    "javascript:alert(1)",
    "",
  ];
  for (const redirect of bad) {
    const { answer } = await one.authorize({ redirect_uri: redirect });
    expect(answer.status, redirect).toBe(400);
    expect(answer.headers.location, redirect).toBeUndefined();
  }
  console.log(`foreign redirects tried: ${bad.length}, followed = 0`);
  for (const redirect_uri of ["http://127.0.0.1:43211/callback", "https://program.example/back?x=1"])
    await refused(one.redeem(await one.code(), { redirect_uri }), "invalid_grant");
});

it("[OUR-OAU-07] another resource is refused at every step, and none means the connector", async () => {
  const { baseUrl } = service.app;
  const one = await program(service, account);
  const foreign = [
    "https://elsewhere.example/mcp",
    baseUrl,
    `${baseUrl}/mcp/`,
    `${baseUrl}/api/v1`,
    "mcp",
    `${baseUrl}/mcp#x`,
  ];
  for (const resource of foreign) await sentBack(one, { resource }, "invalid_target");
  for (const resource of foreign.slice(0, 3))
    await refused(one.redeem(await one.code({ resource: undefined }), { resource }), "invalid_target");
  const again = await one.code({ resource: undefined });
  const { access, refresh } = tokensIn(await one.redeem(again, { resource: undefined }));
  expect((await callTool(service, access)).status).toBe(200);
  await refused(one.refresh(refresh, { resource: "https://elsewhere.example/mcp" }), "invalid_target");
});

it("[OUR-OAU-08] every answer to a program says who answers, and gives its state back", async () => {
  const one = await program(service, account);
  const { visitor, location } = await one.authorize();
  const denied = await visitor.send(location, "deny");
  const back = await visitor.get(denied.headers.location ?? "");
  const answers = [
    await one.consent(),
    new URL(back.headers.location ?? ""),
    await sentBack(one, { resource: "https://elsewhere.example" }, "invalid_target"),
    await sentBack(one, { code_challenge: undefined }, "invalid_request"),
    await sentBack(one, { prompt: "none" }, "consent_required"),
  ];
  expect(answers[1]?.searchParams.get("error")).toBe("access_denied");
  for (const { searchParams } of answers) {
    expect(searchParams.get("iss")).toBe(service.app.baseUrl);
    expect(searchParams.get("state")).toBe("kept as it is");
  }
});

it("[OUR-OAU-09] scopes: reading when none is asked, only known ones, and two that mean nothing", async () => {
  const one = await program(service, account);
  const reads = readScopes.join(" ");
  expect((await one.connect({ scope: undefined })).scope).toBe(reads);
  expect((await one.connect({ scope: "offline_access", prompt: "consent" }, readScopes)).scope).toBe(reads);
  const some = ["reports:read", "servers:write"];
  expect(
    (await one.connect({ scope: "openid servers:write unheard:of reports:read offline_access" }, some)).scope
      .split(" ")
      .toSorted(),
  ).toEqual(some);
  await sentBack(one, { scope: "unheard:of" }, "invalid_scope");
  const { refresh } = await one.connect({ scope: "reports:read servers:read" });
  const less = await one.refresh(refresh, { scope: "servers:read offline_access" });
  expect(less.json["scope"]).toBe("servers:read");
  await refused(one.refresh(String(less.json["refresh_token"]), { scope: "servers:write" }), "invalid_scope");
});

it("[OUR-OAU-09] an access token carries no more than it says, whatever its grant carries", async () => {
  const one = await program(service, account);
  const { refresh } = await one.connect({ scope: "reports:read servers:read" });
  const { access } = tokensIn(await one.refresh(refresh, { scope: "servers:read" }));
  const answer = await callTool(service, access, "list_reports");
  expect(answer.status).toBe(403);
  expect((await callTool(service, access, "list_servers")).status).toBe(200);
});
