import { selectAccountByEmail } from "../../../src/store/access/accounts.ts";
import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { endSessionsBut } from "../../../src/services/access/end-sessions.ts";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeAccounts } from "../../../src/demo/accounts.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, visitor } from "../../support/visitor.ts";
import { forms, hash, landing, password, person } from "./people.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ signUp: "open" });
  await person(service);
});
afterAll(() => service.close());

describe("a fresh service", () => {
  let fresh: TestService;
  afterEach(() => fresh.close());

  it("[OUR-SES-01] leads to its set-up page, which makes the administrator's account and is gone then", async () => {
    fresh = await startTestService();
    const browser = visitor(fresh);
    expect(landing(await browser.get("/sign-in"))).toEqual([303, "/set-up"]);
    const typed = { email: "you@example.org", password };
    const wrong = await browser.send("/set-up", "set_up", { ...typed, code: "AAAAA-AAAAA-AAAAA-AAAAA" });
    expect([wrong.status, wrong.text.includes("The set-up code is wrong.")]).toEqual([401, true]);
    expect(wrong.text).toContain('value="you@example.org"');
    expect(wrong.text).not.toContain(password);
    const done = await browser.send("/set-up", "set_up", { ...typed, code: fresh.service.setUpCode });
    expect(landing(done)).toEqual([303, "/servers"]);
    const settings = readHtml((await browser.get("/settings")).text).text;
    for (const fact of ["you@example.org", "verified", "Enterprise", "Admin"])
      expect(settings).toContain(fact);
    expect(landing(await visitor(fresh).get("/set-up"))).toEqual([303, "/sign-in"]);
    expect(fresh.defects).toEqual([]);
  });
});

describe("signing in and out", () => {
  it("[OUR-SES-04] gives the browser a new session each time, and takes it away", async () => {
    const account = await person(service);
    const browser = visitor(service);
    const entering = { email: account.email, password, to: "/alerts?state=open" };
    expect(landing(await browser.send("/sign-in", "sign_in", entering))).toEqual([303, "/alerts?state=open"]);
    const first = browser.cookies.get("tickmark");
    expect(landing(await browser.get("/sign-in?to=/alerts"))).toEqual([303, "/alerts"]);
    expect((await browser.get("/sign-out")).text).toContain(account.email);
    expect(landing(await browser.send("/sign-out", "sign_out"))).toEqual([303, "/sign-in?after=out"]);
    expect(browser.cookies.has("tickmark")).toBe(false);
    browser.cookies.set("tickmark", first ?? "");
    expect(landing(await browser.get("/settings"))).toEqual([303, "/sign-in?to=%2Fsettings"]);
    await browser.send("/sign-in", "sign_in", entering);
    expect(browser.cookies.get("tickmark")).not.toBe(first);
  });

  it("[OUR-SES-05] says beside the form why it was refused, keeps the address and where to go, and no password", async () => {
    const account = await person(service);
    const refused = await visitor(service).send("/sign-in", "sign_in", {
      email: account.email,
      password: "not the password",
      to: "/alerts",
    });
    expect(refused.status).toBe(401);
    expect(refused.text).toContain(
      "The e-mail address or the password is wrong. Try again, or request a new password.",
    );
    expect(refused.text).toContain(`value="${account.email}"`);
    expect(refused.text).toContain('name="to" value="/alerts"');
    expect(refused.text).not.toContain("not the password");
  });

  it("[OUR-SES-06] says how long to wait, in words and in Retry-After", async () => {
    const account = await person(service);
    const tryIt = () =>
      visitor(service).send("/sign-in", "sign_in", { email: account.email, password: "no" });
    for (let index = 0; index < 10; index += 1) expect((await tryIt()).status).toBe(401);
    const refused = await tryIt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(880);
    expect(refused.text).toContain("Wait 15 minutes, then try again.");
  });

  it("[OUR-SES-19] leads to a path of this service and nowhere else", async () => {
    const account = await person(service);
    const elsewhere = [
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/\tevil.example",
      "/\n/evil.example",
      "/..//evil.example",
      "/.//evil.example",
      "/a/../..//evil.example",
      "/%5cevil.example\\",
      "evil.example",
      "",
      "@evil.example",
    ];
    let led = 0;
    const browser = await signedIn(service, account);
    for (const to of elsewhere) {
      const { headers } = await browser.get(`/sign-in?${new URLSearchParams({ to })}`);
      const { origin } = new URL(headers.location ?? "", "http://here.example");
      if (origin !== "http://here.example" || headers.location?.startsWith("//")) led += 1;
      expect(headers.location, to).toBe("/servers");
    }
    const entered = await visitor(service).send("/sign-in", "sign_in", {
      email: account.email,
      password,
      to: "//evil.example",
    });
    expect(entered.headers.location).toBe("/servers");
    console.log(`${elsewhere.length} addresses, led elsewhere: ${led}`);
  });

  it("[OUR-SES-23] out of no session leads to the start, by the link and by the form", async () => {
    const browser = visitor(service);
    expect(landing(await browser.get("/sign-out"))).toEqual([303, "/"]);
    const account = await person(service);
    const late = await signedIn(service, account);
    const page = await late.get("/sign-out");
    await service.app.db.write(endSessionsBut, account.id, null);
    const token = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    const cookie = [...late.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = await service.request("POST", "/sign-out", {
      headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ _csrf: token, do: "sign_out" }).toString(),
    });
    expect(landing(sent)).toEqual([303, "/"]);
  });

  it("[OUR-SES-21] the demo's accounts sign in with the passwords that it prints", async () => {
    const demo = await startTestService();
    try {
      for (const { account, password: printed } of await makeAccounts(demo.app, demo.app.clock())) {
        const browser = visitor(demo);
        await browser.send("/sign-in", "sign_in", { email: account.email, password: printed });
        expect(readHtml((await browser.get("/settings")).text).text).toContain(account.email);
      }
    } finally {
      await demo.close();
    }
  });
});

describe("what a page believes", () => {
  const post = (path: string, form: URLSearchParams, headers: Record<string, string> = {}) =>
    service.request("POST", path, {
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  it("[OUR-SES-17] no form without its token, with that of another browser, or from another site", async () => {
    const [account, other] = [await person(service), await person(service)];
    const [browser, stranger] = [await signedIn(service, account), await signedIn(service, other)];
    const foreign = /name="_csrf" value="([^"]*)"/.exec((await stranger.get("/settings")).text)?.[1] ?? "";
    const own = /name="_csrf" value="([^"]*)"/.exec((await browser.get("/settings")).text)?.[1] ?? "";
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const fields = {
      email: "stolen@example.org",
      password,
      new_password: "a stolen password",
      code: service.service.setUpCode,
    };
    let accepted = 0;
    for (const [path, action] of forms) {
      for (const [token, headers] of [
        [null, { cookie }],
        ["", { cookie }],
        [foreign, { cookie }],
        [own, {}],
        [own, { cookie, origin: "https://evil.example" }],
        [own, { cookie, origin: "null" }],
        [own, { cookie, host: "evil.example" }],
      ] as const) {
        const form = new URLSearchParams({ do: action, ...fields, ...(token !== null && { _csrf: token }) });
        const { status, headers: answered } = await post(path, form, headers);
        if (status !== 403) accepted += 1;
        expect(answered["set-cookie"]?.some((line) => line.startsWith("tickmark=")) ?? false).toBe(false);
      }
    }
    console.log(`${forms.length} forms, POSTs without a token or from elsewhere accepted: ${accepted}`);
    expect(accepted).toBe(0);
    const { db } = service.app;
    expect(await db.read(selectAccountByEmail, "stolen@example.org")).toBeNull();
    expect((await browser.get("/settings")).status).toBe(200);
    const origin = `http://127.0.0.1:${service.port}`;
    const good = new URLSearchParams({ do: "end_other_sessions", _csrf: own });
    expect((await post("/settings/security", good, { cookie, origin })).status).toBe(303);
  });

  it("[OUR-SES-18] the API and the connector read no cookie", async () => {
    const { cookies } = await signedIn(service, await person(service));
    const cookie = `tickmark=${cookies.get("tickmark")}; __Host-tickmark=${cookies.get("tickmark")}`;
    let accepted = 0;
    for (const path of ["/token", "/servers", "/reports?mine=true", "/alert-events"]) {
      const { status } = await service.request("GET", `/api/v1${path}`, { headers: { cookie } });
      if (status !== 401) accepted += 1;
    }
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const accept = "application/json, text/event-stream";
    const asked = await service.request("POST", "/mcp", { body: call, headers: { cookie, accept } });
    const unknown = await service.request("POST", "/mcp", { body: call, headers: { accept } });
    expect([asked.status, asked.text]).toEqual([unknown.status, unknown.text]);
    console.log(`cookie accepted by /api or /mcp: ${accepted}`);
    expect(accepted).toBe(0);
  });

  it("[OUR-SES-18] a session's cookie is out of reach of scripts and other sites, and bound to the host over https", async () => {
    const cookieLines = async (on: TestService, host: string): Promise<readonly string[]> => {
      const account = await person(on);
      const page = await on.request("GET", "/sign-in", { headers: { host } });
      const formCookie = page.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      const token = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
      const form = { _csrf: token, do: "sign_in", email: account.email, password };
      const answer = await on.request("POST", "/sign-in", {
        body: new URLSearchParams(form).toString(),
        headers: { host, cookie: formCookie, "content-type": "application/x-www-form-urlencoded" },
      });
      return [...(page.headers["set-cookie"] ?? []), ...(answer.headers["set-cookie"] ?? [])];
    };
    const plain = await cookieLines(service, `127.0.0.1:${service.port}`);
    expect(plain.map((line) => line.replaceAll(/=[\w%-]{20,}/g, "=…"))).toEqual([
      "tickmark_form=…; Path=/; HttpOnly; SameSite=Lax",
      "tickmark=…; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax",
      "tickmark_device=…; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax",
    ]);
    const secured = await startTestService({ baseUrl: "https://tickmark.example" });
    try {
      const lines = await cookieLines(secured, "tickmark.example");
      expect(lines.map((line) => line.replaceAll(/=[\w%-]{20,}/g, "=…"))).toEqual([
        "__Host-tickmark_form=…; Path=/; HttpOnly; Secure; SameSite=Lax",
        "__Host-tickmark=…; Max-Age=7776000; Path=/; HttpOnly; Secure; SameSite=Lax",
        "__Host-tickmark_device=…; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax",
      ]);
      const page = await secured.request("GET", "/sign-in", { headers: { host: "tickmark.example" } });
      expect(page.headers["strict-transport-security"]).toBeDefined();
    } finally {
      await secured.close();
    }
  });

  it("[OUR-SES-04] [OUR-SES-11] only digests of sessions and codes are in the database", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tickmark-people-"));
    const file = join(folder, "people.db");
    const kept = await startTestService({ databaseUrl: `sqlite:${file}`, signUp: "invite" });
    try {
      const admin = await kept.account("pro", "admin");
      await kept.app.db.write(replacePassword, admin.id, hash, null);
      const browser = visitor(kept);
      await browser.send("/sign-in", "sign_in", { email: admin.email, password });
      const secret = browser.cookies.get("tickmark") ?? "";
      expect(secret.length).toBe(32);
      const bytes = (): string =>
        [file, `${file}-wal`].map((path) => readFileSync(path).toString("latin1")).join("");
      expect(bytes()).toContain(kept.app.secrets.digest(secret));
      for (const told of [secret, password, kept.service.setUpCode]) expect(bytes()).not.toContain(told);
    } finally {
      await kept.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
