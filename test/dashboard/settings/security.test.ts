import { changePlan } from "../../../src/services/access/change-plan.ts";
import { recordActivityOfTokens } from "../../../src/services/access/record-activity.ts";
import { putOAuthRecord } from "../../../src/store/access/oauth-records.ts";
import { selectGrant } from "../../../src/store/access/connectors.ts";
import { grantConsent } from "../../../src/services/access/grant-consent.ts";
import { selectPresentedToken, updateTokenRevoked } from "../../../src/store/access/tokens.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../../src/core/access/scope.ts";
import { readHtml } from "../../support/html.ts";
import { reportedStrings } from "../../support/hostile-names.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, visitor } from "../../support/visitor.ts";

const page = "/settings/security";
const fields = { name: "laptop", expires_in_days: "90", scopes: ["reports:read", "servers:read"] };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const secretIn = (html: string): string => /tkm_[0-9A-Za-z]+/.exec(html)?.[0] ?? "";
const tokenIdIn = (html: string): string => /name="token_id" value="([^"]+)"/.exec(html)?.[1] ?? "";
/** How many elements a page has of each kind. */
const elementsOf = (html: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const [, tag = ""] of html.matchAll(/<([a-zA-Z][\w-]*)/g)) counts[tag] = (counts[tag] ?? 0) + 1;
  return counts;
};

describe("API tokens", () => {
  it("[OUR-TKN-01] [ACC-05] [ACC-08] a token is made, shown once, used, seen in the list and revoked", async () => {
    const account = await service.account("pro");
    const browser = await signedIn(service, account);
    expect((await browser.get(page)).text).toContain("There is no token yet");
    const made = await browser.send(page, "create", fields);
    const secret = secretIn(made.text);
    expect(made.status).toBe(200);
    expect(made.headers["cache-control"]).toBe("no-store");
    expect(secret).toHaveLength(53);
    expect(made.text).toContain(`${service.service.baseUrl}/mcp`);
    expect(made.text.split(secret)).toHaveLength(2);
    expect((await service.request("GET", "/api/v1/reports", { token: secret })).status).toBe(200);
    const list = (await browser.get(page)).text;
    expect(list).not.toContain(secret);
    expect(list).toContain("laptop");
    expect(readHtml(list).text).toContain("reports:read servers:read");
    expect(list.replaceAll(/<[^>]*>/g, "")).toContain("Calls today: 1 of 50, by all tokens");
    const revoked = await browser.send(page, "revoke", { token_id: tokenIdIn(list) });
    expect([revoked.status, revoked.headers["location"]]).toEqual([303, page]);
    const refused = await service.request("GET", "/api/v1/reports", { token: secret });
    expect(refused.json["error"]).toBe("token_revoked");
    expect((await browser.get(page)).text).toContain("There is no token yet");
  });

  it("[OUR-TKN-06] shows every scope in its group, and a refused form keeps what was typed and ticked", async () => {
    const browser = await signedIn(service, await service.account("pro"));
    const fresh = (await browser.get(page)).text;
    for (const scope of scopes) expect(fresh).toContain(`name="scopes" value="${scope}"`);
    expect([...fresh.matchAll(/<legend>(\w+)<\/legend>/g)].map(([, title]) => title)).toEqual([
      "Reads",
      "Writes",
    ]);
    expect(fresh).not.toMatch(/name="scopes"[^>]*checked/);
    const refused = await browser.send(page, "create", { ...fields, name: "kept", expires_in_days: "1e2" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text).toMatch(/role="alert"[^>]*>Takes .*1.*365/);
    expect(refused.text).toContain('value="kept"');
    expect([...refused.text.matchAll(/<input[^>]*value="([^"]+)"[^>]*checked/g)].map(([, v]) => v)).toEqual([
      "reports:read",
      "servers:read",
    ]);
    const none = await browser.send(page, "create", { name: "none", expires_in_days: "90" });
    expect([none.status, none.text.includes("Tick at least one scope.")]).toEqual([400, true]);
  });

  it("[ACC-25] [OUR-TKN-02] [OUR-TKN-03] shows the limit and the tokens that a lapse leaves, and still revokes", async () => {
    const account = await service.account("pro");
    const setPlan = (...change: Parameters<typeof changePlan>) => service.app.db.write(changePlan, ...change);
    const browser = await signedIn(service, account);
    const first = secretIn((await browser.send(page, "create", { ...fields, name: "first" })).text);
    const second = secretIn((await browser.send(page, "create", { ...fields, name: "second" })).text);
    await setPlan(account.id, "free", Date.now());
    const lapsed = (await browser.get(page)).text;
    expect(lapsed).toContain("token_quota_exceeded");
    expect(lapsed).toContain("not covered by the plan");
    expect(lapsed).not.toContain("Create token");
    const refused = await browser.send(page, "create", fields);
    expect([refused.status, refused.text.includes("Revoke one, or change the plan")]).toEqual([403, true]);
    const told = async (token: string) =>
      (await service.request("GET", "/api/v1/reports", { token })).json["error"] ?? "works";
    const states = [await told(first), await told(second)];
    await setPlan(account.id, "pro", Date.now());
    expect((await browser.get(page)).text).not.toContain("not covered by the plan");
    expect([...states, await told(first), await told(second)]).toEqual([
      "token_quota_exceeded",
      "works",
      "works",
      "works",
    ]);
    await setPlan(account.id, "free", Date.now());
    const [, older = ""] = [...lapsed.matchAll(/name="token_id" value="([^"]+)"/g)].map(([, id]) => id);
    expect((await browser.send(page, "revoke", { token_id: older })).status).toBe(303);
    expect([await told(first), await told(second)]).toEqual(["token_revoked", "works"]);
  });

  it("[OUR-TKN-07] a hostile name makes no element, on the page, after creation, or beside what it did", async () => {
    const account = await service.account("enterprise");
    const browser = await signedIn(service, account);
    const take = async (name: string) => {
      const made = await browser.send(page, "create", { ...fields, name });
      if (made.status !== 200) return null;
      await service.request("GET", "/api/v1/reports", { token: secretIn(made.text) });
      await service.service.work.run();
      const list = (await browser.get(page)).text;
      const activity = (await browser.get(`${page}/activity`)).text;
      await browser.send(page, "revoke", { token_id: tokenIdIn(list) });
      return [made.text, list, activity];
    };
    const harmless = await take("plain");
    const expected = harmless?.map(elementsOf);
    let taken = 0;
    for (const name of [...reportedStrings, '"><img src=x onerror=alert(1)>', "<b>&lt;i&gt;</b>", "'`${1}"]) {
      const shown = await take(name);
      if (!shown) continue;
      taken += 1;
      // Every name adds one line of activity, which is the same elements once more.
      // The page's own script is the one there is.
      expect(shown.slice(0, 2).map((html) => elementsOf(html)["script"] ?? 0)).toEqual([1, 1]);
      expect(elementsOf(shown[0] ?? "")).toEqual(expected?.[0]);
      for (const html of shown)
        expect(html).not.toMatch(/<(?:(?:img|b|i)[\s>]|script(?! type="module" src="\/assets\/))/);
    }
    console.log(`${taken} hostile names taken, new elements 0`);
    expect(taken).toBeGreaterThan(8);
  });

  it("[OUR-TKN-10] a connector is shown with its program as text, revoked like a token, and named beside its calls", async () => {
    const account = await service.account("enterprise");
    const browser = await signedIn(service, account);
    const { db, secrets } = service.app;
    const now = Date.now();
    const id = secrets.newId(now);
    const answered = { kind: "Request", digest: "asked", grantId: null, payload: "{}", consumedAt: null };
    const request = { ...answered, createdAt: now, expiresAt: now + 60_000 };
    await db.write(putOAuthRecord, request);
    const token = {
      id,
      accountId: account.id,
      name: "<b>Program</b>",
      kind: "connector" as const,
      scopes: ["reports:read" as const],
      createdAt: now,
      expiresAt: now + 86_400_000,
      revokedAt: null,
      lastUsedAt: null,
    };
    const client = { id: "client", name: "<b>Program</b>", host: "program.example" };
    const given = await db.write(grantConsent, {
      token,
      client,
      digest: "granted",
      limit: 20,
      request,
      replaces: null,
      widens: null,
    });
    expect(given).toBe("given");
    const done = { id, at: now, times: 1, status: 200, error: null, call: "reports.list" };
    await db.writeRelaxed(recordActivityOfTokens, [{ ...done, accountId: account.id, tokenId: id }]);
    const shown = (await browser.get(page)).text;
    expect(shown).not.toContain("<b>");
    const words = shown.replaceAll(/<[^>]*>/g, "");
    expect(words).toContain("connector of &lt;b>Program&lt;/b> at program.example");
    expect(words.match(/connector of/g)).toHaveLength(2);
    expect((await browser.send(page, "revoke", { token_id: id })).status).toBe(303);
    expect(await db.read(selectGrant, id, now)).toBeNull();
  });

  it("[ACC-06] is for people alone: a token or a stranger is led to sign in, and no form goes without its token", async () => {
    const account = await service.account("pro");
    const token = await service.token(account);
    for (const path of [page, `${page}/activity`]) {
      const answer = await service.request("GET", path, { token });
      expect([answer.status, answer.headers["location"]]).toEqual([
        303,
        `/sign-in?to=${encodeURIComponent(path)}`,
      ]);
      expect((await visitor(service).get(path)).status).toBe(303);
    }
    const browser = await signedIn(service, account);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const forged = await service.request("POST", page, {
      headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
      body: "do=create&name=x&expires_in_days=90&scopes=reports:read",
    });
    expect(forged.status).toBe(403);
    expect((await browser.get(page)).text).not.toContain(">x<");
  });
});

describe("Activity", () => {
  it("[OUR-ACT-06] [OUR-ACT-01] lists the calls of tokens, page by page, and those of one token", async () => {
    const account = await service.account("enterprise");
    const browser = await signedIn(service, account);
    expect((await browser.get(page)).text).toContain("No token made a call");
    const token = await service.token(account);
    const { db, secrets } = service.app;
    const id = (await db.read(selectPresentedToken, secrets.digest(token), Date.now()))?.token.id ?? "";
    const now = Date.now();
    const rows = Array.from({ length: 70 }, (_, index) => ({
      id: secrets.newId(now),
      accountId: account.id,
      tokenId: index === 3 ? "revoked" : id,
      call: index === 0 ? "gone.call" : "servers.list",
      status: index === 1 ? 403 : 200,
      error: index === 1 ? ("missing_scope" as const) : null,
      at: now - index,
      times: index === 2 ? 7 : 1,
    }));
    await db.writeRelaxed(recordActivityOfTokens, rows);
    const card = (await browser.get(page)).text;
    expect(card.match(/GET \/servers/g)).toHaveLength(19);
    for (const words of ["gone.call", "403 missing_scope", "7 times", "a deleted token", "All activity"])
      expect(card).toContain(words);
    const first = (await browser.get(`${page}/activity`)).text;
    expect(first.match(/GET \/servers/g)).toHaveLength(49);
    const next = /href="(\?[^"]*cursor=[^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = (await browser.get(`${page}/activity${next}`)).text;
    expect(second.match(/GET \/servers/g)).toHaveLength(20);
    expect(second).not.toContain("Older");
    const own = (await browser.get(`${page}/activity?token_id=${id}`)).text;
    expect(own.match(/a deleted token/g)).toHaveLength(1);
    const other = await signedIn(service, await service.account("pro"));
    expect((await other.get(`${page}/activity?token_id=${id}`)).text).toContain("No call matches");
    expect((await other.get(`${page}/activity?token_id=junk`)).status).toBe(400);
  });

  it("[OUR-ACT-06] a token that was revoked is still one to choose, if it did something", async () => {
    const account = await service.account("pro");
    const browser = await signedIn(service, account);
    const { db, secrets } = service.app;
    const [busy, idle] = [await service.token(account), await service.token(account)];
    const ids: string[] = [];
    for (const secret of [busy, idle]) {
      const id = (await db.read(selectPresentedToken, secrets.digest(secret), Date.now()))?.token.id ?? "";
      ids.push(id);
    }
    await service.request("GET", "/api/v1/servers", { token: busy });
    await service.service.work.run();
    for (const id of ids) await db.write(updateTokenRevoked, id, Date.now());
    const { text } = await browser.get(`${page}/activity`);
    expect(text).toMatch(new RegExp(`<option value="${ids[0]}"[^>]*>a test&?.{0,4}s token \\(revoked `));
    expect(text).not.toContain(`value="${ids[1]}"`);
    expect((await browser.get(`${page}/activity?token_id=${ids[0]}`)).text).toContain("GET /servers");
  });
});
