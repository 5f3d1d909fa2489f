import { replacePassword } from "../../src/services/access/replace-password.ts";
import { selectPresentedToken, selectTokens, updateTokenRevoked } from "../../src/store/access/tokens.ts";
import { selectSecurityLog } from "../../src/store/security-log/security-log.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../src/app/access/passwords.ts";
import { setUpCode } from "../../src/app/access/set-up-code.ts";
import { startTestService, type Json, type TestService } from "../support/service.ts";
import { signedIn, visitor } from "../support/visitor.ts";
import { callTool, post, program } from "../oauth/program.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);
const typed = {
  email: "mallory@evil.example",
  wrong: "hunter2 hunter2",
  code: "ZZZZZ-22222-ZZZZZ-22222",
  mailed: "a-mailed-code-that-is-none",
};
let service: TestService;
const lines: string[] = [];
/** Stands still, so that alike refusals are one row however slow the machine is. */
const now = Date.now();

beforeAll(async () => {
  service = await startTestService({
    clock: () => now,
    signUp: "invite",
    logTo: (line) => void lines.push(line),
  });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

/** The rows as `kind detail times`, of one account or of all. */
async function rows(accountId: string | null = null): Promise<string[]> {
  await service.service.work.run();
  const found = await service.app.db.read(selectSecurityLog, accountId, null, 1000);
  return found.map(({ kind, detail, times }) => `${kind} ${detail} ${times}`);
}

/** What `work` adds to the log. */
async function added(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Map<string, number>();
  const { db } = service.app;
  await service.service.work.run();
  for (const { id, times } of await db.read(selectSecurityLog, null, null, 1000)) before.set(id, times);
  await work();
  await service.service.work.run();
  return (await db.read(selectSecurityLog, null, null, 1000))
    .filter(({ id, times }) => before.get(id) !== times)
    .map(({ id, kind, detail, times }) => `${kind} ${detail} ${times - (before.get(id) ?? 0)}`);
}

it("[OUR-SEC-01] a refused set-up is counted once, before and after there is an account", async () => {
  const setUp = (code: string) =>
    visitor(service).send("/set-up", "set_up", { code, email: typed.email, password: typed.wrong });
  expect(await added(() => setUp(typed.code))).toEqual(["set_up_refused wrong 1"]);
  expect(await added(() => setUp(setUpCode("another secret altogether")))).toEqual([
    "set_up_refused wrong 1",
  ]);
});

it("[OUR-SEC-01] each refused sign-in and confirmation is counted once", async () => {
  const account = await service.account();
  await service.app.db.write(replacePassword, account.id, hash, null);
  const enter = (email: string, chosen: string) =>
    visitor(service).send("/sign-in", "sign_in", { email, password: chosen });
  expect(await added(() => enter(typed.email, typed.wrong))).toEqual(["sign_in_refused wrong 1"]);
  expect(await added(() => enter(account.email, typed.wrong))).toEqual(["sign_in_refused wrong 1"]);
  for (let index = 0; index < 9; index += 1) await enter(account.email, typed.wrong);
  expect(await added(() => enter(account.email, password))).toEqual(["sign_in_refused too many tries 1"]);
  const own = (await rows(account.id)).toSorted();
  expect(own).toHaveLength(2);
  expect(own[0]).toBe("sign_in_refused too many tries 1");
  const browser = await signedIn(service, account);
  const fields = { password: typed.wrong, new_password: "another long password" };
  expect(await added(() => browser.send("/settings", "change_password", fields))).toEqual([
    "password_refused wrong 1",
  ]);
});

it("[OUR-SEC-01] each refused code is counted once, where its page is opened and where its form is sent", async () => {
  const account = await service.account();
  for (const [path, detail] of [
    [`/password/reset/${typed.mailed}`, "new password"],
    [`/verify-email/${typed.mailed}`, "e-mail address"],
    [`/sign-up?invitation=${typed.mailed}`, "invitation"],
  ] as const) {
    expect(await added(() => visitor(service).get(path)), path).toEqual([`code_refused ${detail} 1`]);
  }
  const token = await service.token(account, ["servers:link"]);
  const link = () => service.request("POST", "/api/v1/servers/link", { token, body: { code: "ZZZZ2222" } });
  expect(await added(link)).toEqual(["code_refused link code 1"]);
});

it("[OUR-SEC-01] each refused credential is counted once, on every face", async () => {
  const account = await service.account();
  const { secrets, db } = service.app;
  const unknown = secrets.newSecret("api");
  const revoked = await service.token(account);
  const found = await db.read(selectPresentedToken, secrets.digest(revoked), service.app.clock());
  await db.write(updateTokenRevoked, found?.token.id ?? "", service.app.clock());
  const expired = await service.token(account, [], { expiresAt: service.app.clock() - 1 });
  const asked: [string, () => Promise<unknown>][] = [
    ["unknown", () => service.request("GET", "/api/v1/servers", { token: unknown })],
    ["unknown", () => service.request("GET", "/api/v1/servers", { token: "guess" })],
    ["unknown", () => callTool(service, unknown)],
    ["unknown", () => service.request("GET", "/api/v1/nowhere", { token: unknown })],
    ["unknown", () => service.request("POST", "/plugin/v1/heartbeat", { token: unknown, body: {} })],
    ["unknown", () => service.request("POST", "/agent/v1/jobs/claim", { token: unknown, body: {} })],
    ["revoked", () => service.request("GET", "/api/v1/servers", { token: revoked })],
    ["revoked", () => callTool(service, revoked)],
    ["expired", () => service.request("GET", "/api/v1/servers", { token: expired })],
    [
      "claim secret",
      () => service.request("POST", "/plugin/v1/link-codes/claim", { body: { claim_secret: "tkc_x" } }),
    ],
  ];
  for (const [detail, ask] of asked)
    expect(await added(ask), String(ask)).toEqual([`credential_refused ${detail} 1`]);
  expect((await rows(account.id)).toSorted()).toEqual([
    "credential_refused expired 1",
    "credential_refused revoked 2",
  ]);
});

it("[OUR-SEC-01] [OUR-SEC-04] programs: consents, and codes and refresh tokens that are presented wrongly", async () => {
  const account = await service.account();
  const one = await program(service, account);
  const { location, visitor: person } = await one.authorize();
  expect(await added(() => person.send(location, "deny"))).toEqual(["consent_denied null 1"]);
  let code = "";
  expect(await added(async () => (code = await one.code()))).toEqual(["consent_given null 1"]);
  expect(await added(() => one.redeem(code, { code_verifier: "x".repeat(43) }))).toEqual([
    "credential_refused authorization code 1",
  ]);
  const guessed = { grant_type: "refresh_token", refresh_token: "guess", client_id: one.clientId };
  expect(await added(() => post(service, "/oauth/token", guessed))).toEqual([
    "credential_refused refresh token 1",
  ]);
});

it("[OUR-SEC-04] what people change of their own account, in its activity and for admins", async () => {
  const account = await service.account();
  const { db } = service.app;
  await db.write(replacePassword, account.id, hash, null);
  const browser = visitor(service);
  await browser.send("/sign-in", "sign_in", { email: account.email, password });
  await browser.send("/settings", "change_password", { password, new_password: "a better password" });
  await browser.send("/settings/security", "create", {
    name: "my laptop",
    expires_in_days: "30",
    scopes: ["servers:read"],
  });
  const [token] = await service.app.db.read(selectTokens, account.id, 0);
  await browser.send("/settings/security", "revoke", { token_id: token?.id ?? "" });
  await browser.send("/settings/security", "end_other_sessions");
  const email = `moved-${account.email}`;
  await browser.send("/settings", "change_email", { email, password: "a better password" });
  expect((await rows(account.id)).toSorted()).toEqual(
    [
      "new_device null 1",
      "password_changed null 1",
      "token_created null 1",
      "token_revoked null 1",
      "signed_out_everywhere null 1",
      "email_changed null 1",
    ].toSorted(),
  );
  // The browser that changed the password is known on.
  await browser.send("/sign-out", "sign_out");
  await browser.send("/sign-in", "sign_in", { email, password: "a better password" });
  expect((await rows(account.id)).filter((row) => row.startsWith("new_device"))).toEqual([
    "new_device null 1",
  ]);
  const own = (await browser.get("/settings/security/log")).text;
  expect(own).toContain("Token made");
  expect(own).toContain("my laptop");
  expect(own).toContain("127.0.0.1");
  expect((await browser.get("/settings/security")).text).toContain("All security events");
  expect((await browser.get("/admin/security")).status).toBe(404);
  const admin = await signedIn(service, await service.account("pro", "admin"));
  const all = (await admin.get("/admin/security")).text;
  expect(all).toContain("Credential refused");
  expect(all).toContain("Set-up refused");
});

it("[OUR-SEC-05] no row and no line of the log holds what was typed, a code, a credential or an address", async () => {
  await service.service.work.run();
  const found = await service.app.db.read(selectSecurityLog, null, null, 1000);
  const kept = JSON.stringify(found.map(({ kind, detail, address }) => [kind, detail, address]));
  const secrets = [...Object.values(typed), password, "guess", "tkm_", "tks_", "tkc_", "@tests.example"];
  const inRows = secrets.filter((secret) => kept.includes(secret));
  const inLog = secrets.filter((secret) => lines.some((line) => line.includes(secret)));
  console.log(`secrets in the security log = ${inRows.length}, in the log = ${inLog.length}`);
  expect([inRows, inLog]).toEqual([[], []]);
});

const requests = (): Json[] =>
  lines.map((line) => JSON.parse(line) as Json).filter(({ msg }) => msg === "request");

it("[OUR-LOG-01] each request is one line, with the pattern of its route and no more of its path", async () => {
  const account = await service.account();
  const token = await service.token(account);
  const found = await service.app.db.read(
    selectPresentedToken,
    service.app.secrets.digest(token),
    service.app.clock(),
  );
  const id = found?.token.id ?? "";
  const before = requests().length;
  const server = "019a9f5e-1d00-7000-8000-00000000abcd";
  const answer = await service.request("GET", `/api/v1/servers/${server}/status?x=${server}`, { token });
  await service.request("GET", `/api/v1/nobody/${server}`);
  await callTool(service, token);
  await visitor(service).get(`/servers/${server}?period=${server}`);
  await service.request("GET", "/oauth/authorize?client_id=x&redirect_uri=http://127.0.0.1/");
  await service.request("DELETE", `/api/v1/servers/${server}/status`);
  await expect.poll(() => requests().length).toBe(before + 6);
  const said = requests().slice(before);
  const part = id.slice(0, 8);
  expect(said.map(({ method, route, status, token: shown }) => [method, route, status, shown])).toEqual([
    ["GET", "/api/v1/servers/:id/status", answer.status, part],
    ["GET", null, 404, null],
    ["POST", "/mcp", 200, part],
    ["GET", "/servers/:id", 303, null],
    ["GET", "/oauth/authorize", 400, null],
    ["DELETE", "/api/v1/servers/:id/status", 405, null],
  ]);
  expect(said[0]?.["request_id"]).toBe(answer.headers["x-request-id"]);
  for (const line of said) {
    expect(line["level"]).toBe(30);
    expect(typeof line["ms"]).toBe("number");
    expect(JSON.stringify(line)).not.toContain(server);
    expect(JSON.stringify(line)).not.toContain(id);
  }
});

it("[OUR-LOG-02] a client's own id of a request stands in its line, where it is a plain one", async () => {
  const before = requests().length;
  const sent = ["trace-1.A_b", "x".repeat(65), "two words", 'a"b', "é", ""];
  for (const id of sent) {
    const { headers } = await service.request("GET", "/api/v1/openapi.json", {
      headers: { "x-request-id": id },
    });
    expect(headers["x-request-id"]).not.toBe(id);
  }
  await expect.poll(() => requests().length).toBe(before + sent.length);
  const kept = requests()
    .slice(before)
    .map((line) => line["client_request_id"]);
  expect(kept).toEqual(["trace-1.A_b", undefined, undefined, undefined, undefined, undefined]);
});

it("[OUR-LOG-05] probes and scrapes that are answered have no line, those that fail have one", async () => {
  const probed: string[] = [];
  const token = "a-token-for-scrapes";
  const other = await startTestService({
    settings: { TICKMARK_METRICS_TOKEN: token },
    logTo: (line) => void probed.push(line),
  });
  const probe = async (scrape: string): Promise<number[]> => {
    const answers: number[] = [];
    for (const path of ["/livez", "/readyz", "/healthz"])
      answers.push((await other.request("GET", path)).status);
    return [...answers, (await other.request("GET", "/metrics", { token: scrape })).status];
  };
  expect(await probe(token)).toEqual([200, 200, 200, 200]);
  expect((await other.request("GET", "/api/v1/openapi.json")).status).toBe(200);
  await other.service.database.close();
  expect(await probe("another token")).toEqual([200, 503, 503, 401]);
  await expect.poll(() => probed.filter((line) => line.includes('"request"')).length).toBe(4);
  const shown = probed.map((line) => JSON.parse(line) as Json).filter(({ msg }) => msg === "request");
  expect(shown.map(({ route, status }) => [route, status])).toEqual([
    ["/api/v1/openapi.json", 200],
    ["/readyz", 503],
    ["/healthz", 503],
    ["/metrics", 401],
  ]);
  await other.service.http.close();
});

it("[OUR-LOG-01] the setting leaves the lines out", async () => {
  const quiet: string[] = [];
  const other = await startTestService({
    settings: { TICKMARK_ACCESS_LOG: "off" },
    logTo: (line) => void quiet.push(line),
  });
  await other.request("GET", "/api/v1/openapi.json");
  await other.close();
  expect(quiet.filter((line) => line.includes('"request"'))).toEqual([]);
});
