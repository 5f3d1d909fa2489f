import { countActiveConnectors, selectPresentedAccess } from "../../src/store/access/connectors.ts";
import { changeRole } from "../../src/services/access/change-role.ts";
import { changePlan } from "../../src/services/access/change-plan.ts";
import { updateTokenRevoked } from "../../src/store/access/tokens.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readScopes } from "../../src/core/access/scope.ts";
import { dayMs, hourMs, secondMs } from "../../src/core/time.ts";
import { startTestService, type Answer, type TestService } from "../support/service.ts";
import { callTool, post, program, tokensIn, type Tokens } from "./program.ts";

const clock = { ahead: 0 };
const folder = mkdtempSync(join(tmpdir(), "tickmark-oauth-"));
let service: TestService;
/** Everything that was handed out and must not stand in the database. */
const issued: string[] = [];

beforeAll(async () => {
  service = await startTestService({
    databaseUrl: `sqlite:${join(folder, "oauth.db")}`,
    clock: () => Date.now() + clock.ahead,
    plans: { pro: { tokens: 50, daily_calls: 1000 }, free: { daily_calls: 1000 } },
  });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const keep = <T extends Pick<Tokens, "access" | "refresh">>(tokens: T): T => {
  issued.push(tokens.access, tokens.refresh);
  return tokens;
};

const errorOf = ({ status, json }: Answer): [number, unknown] => [status, json["error"]];

/** The grant behind an access token. */
const grantOf = async (access: string): Promise<string> => {
  const { db, secrets } = service.app;
  const found = await db.read(selectPresentedAccess, secrets.digest(access), service.app.clock());
  return found?.token.id ?? "";
};

it("[OUR-OAU-17] an access token works at the connector for an hour, and nowhere else", async () => {
  const one = await program(service, await service.account());
  const { access } = keep(await one.connect());
  expect((await callTool(service, access, "list_reports")).status).toBe(200);
  for (const path of ["/token", "/reports", "/servers"]) {
    const answer = await service.request("GET", `/api/v1${path}`, { token: access });
    expect(errorOf(answer)).toEqual([401, "invalid_token"]);
  }
  clock.ahead += hourMs;
  expect(errorOf(await callTool(service, access))).toEqual([401, "token_expired"]);
});

it("[OUR-OAU-17] a refresh token and a code are no credential anywhere", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { refresh } = keep(await one.connect());
  expect(errorOf(await callTool(service, refresh))).toEqual([401, "invalid_token"]);
  const code = await one.code();
  issued.push(code);
  expect(errorOf(await callTool(service, code))).toEqual([401, "invalid_token"]);
  const token = await service.token(account);
  for (const sent of [token, one.clientId])
    expect(errorOf(await one.refresh(sent))).toEqual([400, "invalid_grant"]);
});

it("[OUR-OAU-18] every use replaces a refresh token; a lost answer may be asked for again for 10 seconds", async () => {
  const one = await program(service, await service.account());
  const first = keep(await one.connect());
  const second = keep(tokensIn(await one.refresh(first.refresh)));
  expect(second.refresh).not.toBe(first.refresh);
  clock.ahead += 9 * secondMs;
  const again = await one.refresh(first.refresh);
  expect(again.status).toBe(200);
  expect(tokensIn(again)).toEqual(second);
  expect((await callTool(service, second.access)).status).toBe(200);
});

it("[OUR-OAU-18] a refresh token used several times at once or within the grace leads to one successor", async () => {
  const one = await program(service, await service.account());
  const first = keep(await one.connect());
  const answers = await Promise.all([1, 2, 3, 4].map(() => one.refresh(first.refresh)));
  clock.ahead += 9 * secondMs;
  answers.push(await one.refresh(first.refresh));
  const living = new Set<string>();
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    living.add(keep(tokensIn(answer)).refresh);
  }
  expect(living.size).toBe(1);
  // Each generation has one token, whoever asks first for the next.
  const [second = ""] = living;
  const [third, again] = await Promise.all([one.refresh(second), one.refresh(second)]);
  expect(tokensIn(third)).toEqual(keep(tokensIn(again)));
  expect(tokensIn(third).refresh).not.toBe(second);
  clock.ahead += 11 * secondMs;
  expect(errorOf(await one.refresh(second))).toEqual([400, "invalid_grant"]);
  expect(errorOf(await one.refresh(tokensIn(third).refresh))).toEqual([400, "invalid_grant"]);
  console.log(`refresh token used 5 times within the grace: living branches = ${living.size}`);
});

it("[OUR-OAU-18] a refresh token used again later revokes the whole grant", async () => {
  const one = await program(service, await service.account());
  const first = keep(await one.connect());
  const second = keep(tokensIn(await one.refresh(first.refresh)));
  clock.ahead += 11 * secondMs;
  const reused = await one.refresh(first.refresh);
  expect(errorOf(reused)).toEqual([400, "invalid_grant"]);
  expect(reused.text).not.toContain("_token");
  for (const access of [first.access, second.access])
    expect(errorOf(await callTool(service, access))).toEqual([401, "token_revoked"]);
  expect(errorOf(await one.refresh(second.refresh))).toEqual([400, "invalid_grant"]);
  console.log("refresh token reused after the grace: tokens issued = 0, tokens of its grant left = 0");
});

it("[OUR-OAU-18] within the grace too, once the successor was used", async () => {
  const one = await program(service, await service.account());
  const first = keep(await one.connect());
  const second = keep(tokensIn(await one.refresh(first.refresh)));
  clock.ahead += secondMs;
  const third = keep(tokensIn(await one.refresh(second.refresh)));
  clock.ahead += secondMs;
  expect(errorOf(await one.refresh(first.refresh))).toEqual([400, "invalid_grant"]);
  expect(errorOf(await callTool(service, third.access))).toEqual([401, "token_revoked"]);
});

it("[OUR-OAU-18] a refresh token lasts 90 days from its issue", async () => {
  const one = await program(service, await service.account());
  const first = keep(await one.connect());
  clock.ahead += 89 * dayMs;
  const second = keep(tokensIn(await one.refresh(first.refresh)));
  clock.ahead += 89 * dayMs;
  const third = keep(tokensIn(await one.refresh(second.refresh)));
  clock.ahead += 90 * dayMs;
  expect(errorOf(await one.refresh(third.refresh))[0]).toBeGreaterThanOrEqual(400);
});

it("[OUR-OAU-19] revoking the grant's row ends its tokens at once, and those of no other grant", async () => {
  const one = await program(service, await service.account());
  const [here, there] = [keep(await one.connect()), keep(await one.connect())];
  expect(await grantOf(here.access)).not.toBe(await grantOf(there.access));
  await service.app.db.write(updateTokenRevoked, await grantOf(here.access), service.app.clock());
  expect(errorOf(await callTool(service, here.access))).toEqual([401, "token_revoked"]);
  expect(errorOf(await one.refresh(here.refresh))).toEqual([400, "invalid_grant"]);
  expect((await callTool(service, there.access)).status).toBe(200);
  expect((await one.refresh(there.refresh)).status).toBe(200);
});

it("[OUR-OAU-19] a program that gives back either token ends the grant; another's request ends nothing", async () => {
  const account = await service.account();
  const [one, other] = [await program(service, account), await program(service, account)];
  for (const which of ["access", "refresh"] as const) {
    const tokens = keep(await one.connect());
    const before = await service.app.db.read(countActiveConnectors, account.id, service.app.clock());
    await post(service, "/oauth/revoke", { token: tokens[which], client_id: other.clientId });
    expect((await callTool(service, tokens.access)).status).toBe(200);
    const { status } = await post(service, "/oauth/revoke", {
      token: tokens[which],
      client_id: one.clientId,
    });
    expect(status).toBe(200);
    expect((await callTool(service, tokens.access)).status).toBe(401);
    expect(errorOf(await one.refresh(tokens.refresh))).toEqual([400, "invalid_grant"]);
    const after = await service.app.db.read(countActiveConnectors, account.id, service.app.clock());
    expect(after).toBe(before - 1);
  }
});

it("[OUR-OAU-16] after a lapse the newest token works; after an upgrade both do, with the tokens they had", async () => {
  const account = await service.account("pro");
  const api = await service.token(account);
  clock.ahead += secondMs;
  const one = await program(service, account);
  const { access, refresh } = keep(await one.connect());
  const asked = async (): Promise<unknown[]> => [
    errorOf(await service.request("GET", "/api/v1/token", { token: api })),
    errorOf(await callTool(service, access)),
  ];
  expect(await asked()).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  await service.app.db.write(changePlan, account.id, "free", service.app.clock());
  expect(await asked()).toEqual([
    [403, "token_quota_exceeded"],
    [200, undefined],
  ]);
  // A newer token takes the one place there is.
  clock.ahead += secondMs;
  const newer = await service.token(account);
  const lapsed = await callTool(service, access);
  expect(lapsed.text).toContain("token_quota_exceeded");
  const later = keep(tokensIn(await one.refresh(refresh)));
  expect((await callTool(service, later.access)).text).toContain("token_quota_exceeded");
  expect((await service.request("GET", "/api/v1/token", { token: newer })).status).toBe(200);
  await service.app.db.write(changePlan, account.id, "pro", service.app.clock());
  expect(await asked()).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect((await callTool(service, later.access)).text).not.toContain("token_quota_exceeded");
});

it("[OUR-OAU-21] a missing scope is 403 with what to ask for; an API token gets the tool's error", async () => {
  const account = await service.account();
  const { access } = keep(await (await program(service, account)).connect({ scope: "reports:read" }));
  const answer = await callTool(service, access, "create_server_group", { name: "Lobbies" });
  expect(answer.status).toBe(403);
  expect(answer.json).toMatchObject({ error: "missing_scope", required_scope: "servers:write" });
  const metadata = `${service.app.baseUrl}/.well-known/oauth-protected-resource/mcp`;
  expect(answer.headers["www-authenticate"]).toBe(
    `Bearer error="insufficient_scope", resource_metadata="${metadata}", scope="reports:read servers:write"`,
  );
  const api = await service.token(account, ["reports:read"]);
  const told = await callTool(service, api, "create_server_group", { name: "Lobbies" });
  expect(told.status).toBe(200);
  expect(told.headers["www-authenticate"]).toBeUndefined();
  const { content, isError } = told.json["result"] as { isError: boolean; content: [{ text: string }] };
  expect(isError).toBe(true);
  expect(JSON.parse(content[0].text)).toMatchObject({
    error: "missing_scope",
    required_scope: "servers:write",
  });
});

it("[OUR-OAU-21] where asking does not help, a connector gets the tool's error as well", async () => {
  const account = await service.account("free");
  const { access } = keep(await (await program(service, account)).connect());
  const plan = await callTool(service, access, "get_monitoring_overview");
  expect(plan.headers["www-authenticate"]).toBeUndefined();
  await service.app.db.write(changeRole, account.id, "suspended", Date.now());
  const suspended = await callTool(service, access, "list_reports");
  expect(suspended.status).toBe(200);
  expect(suspended.headers["www-authenticate"]).toBeUndefined();
  expect(suspended.text).toContain("missing_scope");
});

it("[OUR-OAU-22] calls count in the account's day and in one hour window of the grant", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const first = keep(await one.connect());
  const windows = async (access: string) => {
    const { json } = await callTool(service, access, "list_reports");
    const meta = (json["result"] as { _meta: { "tickmark/quota": Record<string, { remaining: number }> } })
      ._meta;
    const { day, hour } = meta["tickmark/quota"];
    return [day?.remaining, hour?.remaining];
  };
  expect(await windows(first.access)).toEqual([999, 599]);
  const second = keep(tokensIn(await one.refresh(first.refresh)));
  expect(await windows(second.access)).toEqual([998, 598]);
  const other = keep(await one.connect());
  expect(await windows(other.access)).toEqual([997, 599]);
});

it("[OUR-OAU-22] what a connector did stands in the timeline with the program's name", async () => {
  const account = await service.account();
  const server = await service.server(account);
  const one = await program(service, account, { client_name: "Desk robot" });
  const scope = [...readScopes, "monitoring:write"].join(" ");
  const { access } = keep(await one.connect({ scope }, scope.split(" ")));
  const started = await callTool(service, access, "start_maintenance", {
    server_id: server.id,
    duration_minutes: 10,
  });
  expect(started.text).not.toContain('"isError":true');
  const events = await callTool(service, access, "list_server_events", { server_id: server.id });
  expect(events.text).toContain("Desk robot");
});

it("[OUR-OAU-20] nothing that was handed out stands in the database", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { location } = await one.authorize();
  const pending = location.split("/").at(-1) ?? "";
  const code = await one.code();
  const { access, refresh } = tokensIn(await one.redeem(code));
  issued.push(pending, code, access, refresh);
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  const whole = bytes.join("\n");
  expect(whole).toContain("AccessToken");
  const found = issued.filter((secret) => whole.includes(secret));
  const looking = whole.match(/tk[mscr]_[0-9A-Za-z]{49}/g) ?? [];
  console.log(
    `issued: ${issued.length}; in clear in ${whole.length} bytes of database = ${found.length + looking.length}`,
  );
  expect(issued.every((secret) => secret.length > 20)).toBe(true);
  expect(found).toEqual([]);
  expect(looking).toEqual([]);
});
