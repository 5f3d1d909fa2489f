import { selectInvitations } from "../../../src/store/access/one-time-codes.ts";
import { selectTokens } from "../../../src/store/access/tokens.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { readHtml } from "../../support/html.ts";
import { startTestService, type Answer, type TestService } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

const hour = 3_600_000;
let ahead = 0;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    plans: { free: { tokens: 1 } },
    clock: () => Date.now() + ahead,
    signUp: "invite",
  });
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

type Fields = Readonly<Record<string, string>>;

/** The hidden fields of the form `create` on a page. */
async function formOf(browser: Visitor, path: string): Promise<Fields> {
  const { text } = await browser.get(path);
  const form = /<form(?:(?!<\/form).)*name="do" value="create".*?<\/form>/s.exec(text)?.[0] ?? "";
  const hidden = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...hidden].map(([, name = "", value = ""]) => [name, value]));
}

const post = (browser: Visitor, path: string, fields: Fields): Promise<Answer> =>
  service.request("POST", path, {
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields).toString(),
  });

const words = ({ text }: Answer): string => readHtml(text).text.replaceAll(/\s+/g, " ");

describe("a form for a token", () => {
  const path = "/settings/security";
  const typed = { name: "laptop", expires_in_days: "90", scopes: "reports:read" };
  const secretIn = ({ text }: Answer): string | null => /tkm_[0-9A-Za-z]+/.exec(text)?.[0] ?? null;
  const tokens = async ({ id }: Account): Promise<number> =>
    (await service.app.db.read(selectTokens, id, service.app.clock())).length;

  it("[OUR-TKN-11] makes one, sent again or ten times at once, on a plan with room for one and for more", async () => {
    for (const plan of ["free", "pro"] as const) {
      const account = await service.account(plan);
      const browser = await signedIn(service, account);
      const form = { ...(await formOf(browser, path)), ...typed };
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(browser, path, form)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
      expect(answers.filter((answer) => secretIn(answer) !== null)).toHaveLength(1);
      const changed = await post(browser, path, { ...form, name: "another" });
      expect(changed.status).toBe(409);
      for (const part of ["no second token was made", "is in the list", "revoke it and make another"])
        expect(words(changed)).toContain(part);
      expect(await tokens(account)).toBe(1);
    }
  });

  it("[OUR-TKN-11] comes back fresh, with what was typed, and makes one once it is sent so", async () => {
    const account = await service.account("pro");
    const browser = await signedIn(service, account);
    const first = await formOf(browser, path);
    expect((await post(browser, path, { ...first, ...typed })).status).toBe(200);
    const refused = await post(browser, path, { ...first, ...typed, name: "second" });
    const fresh = /name="form_id" value="([^"]+)"/.exec(refused.text)?.[1] ?? "";
    expect(refused.text).toContain('value="second"');
    expect(fresh).not.toBe(first["form_id"]);
    expect((await post(browser, path, { ...first, ...typed, form_id: fresh })).status).toBe(200);
    expect(await tokens(account)).toBe(2);
  });

  it("[OUR-TKN-11] that was refused can be sent again, and one that is too old or not ours makes nothing", async () => {
    const account = await service.account("pro");
    const browser = await signedIn(service, account);
    const form = { ...(await formOf(browser, path)), ...typed };
    expect((await post(browser, path, { ...form, expires_in_days: "0" })).status).toBe(400);
    for (const form_id of ["", "junk", "019a9f5e-1d00-7000-8000-000000000001"]) {
      const odd = await post(browser, path, { ...form, form_id });
      expect([odd.status, words(odd).includes("out of date")]).toEqual([409, true]);
    }
    ahead += 12 * hour;
    const late = await post(browser, path, form);
    ahead -= 12 * hour;
    expect([late.status, await tokens(account)]).toEqual([409, 0]);
    expect((await post(browser, path, form)).status).toBe(200);
  });

  it("[OUR-TKN-11] of another account reveals nothing and stops nothing", async () => {
    const [mine, other] = [await service.account("pro"), await service.account("pro")];
    const [browser, stranger] = [await signedIn(service, mine), await signedIn(service, other)];
    const form: Fields = { ...(await formOf(browser, path)), ...typed };
    const foreign = { ...(await formOf(stranger, path)), ...typed, form_id: form["form_id"] ?? "" };
    expect((await post(stranger, path, foreign)).status).toBe(200);
    expect((await post(browser, path, form)).status).toBe(200);
    expect([await tokens(mine), await tokens(other)]).toEqual([1, 1]);
  });

  it("[OUR-TKN-12] without a scope says that one is needed", async () => {
    const browser = await signedIn(service, await service.account("pro"));
    const { scopes: _, ...none } = typed;
    const refused = await browser.send(path, "create", none);
    expect([refused.status, words(refused).includes("Tick at least one scope.")]).toEqual([400, true]);
  });
});

it("[OUR-TGT-05] a form for a target makes one, and a refused one is ticked as it was sent", async () => {
  const owner = await service.account("pro");
  const server = await service.server(owner);
  const browser = await signedIn(service, owner);
  const token = await service.token(owner);
  const path = "/auto-bench";
  const typed = { server_id: server.id, name: "Nightly", benchmark_mode: "standard", runs_per_job: "1" };
  const form = { ...(await formOf(browser, path)), ...typed };
  const ticked = /name="enabled" value="on" checked/;
  expect((await browser.get(path)).text).toMatch(ticked);
  const off = await post(browser, path, { ...form, runs_per_job: "4" });
  expect([off.status, ticked.test(off.text)]).toEqual([400, false]);
  const on = await post(browser, path, { ...form, runs_per_job: "4", enabled: "on" });
  expect([on.status, ticked.test(on.text)]).toEqual([400, true]);
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(browser, path, form)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409]);
  const again = await post(browser, path, form);
  expect(words(again)).toContain("no second target was made");
  const { json } = await service.request("GET", "/api/v1/auto-bench/targets", { token });
  expect(json["data"]).toHaveLength(1);
});

it("[OUR-SES-10] a form for an invitation makes one", async () => {
  const admin = await signedIn(service, await service.account("pro", "admin"));
  const path = "/admin/invitations";
  const form = { ...(await formOf(admin, path)), email: "friend@example.org" };
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(admin, path, form)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  expect(answers.filter(({ text }) => text.includes("/sign-up?invitation="))).toHaveLength(1);
  expect(words(await post(admin, path, form))).toContain("no second invitation was made");
  expect(await service.app.db.read(selectInvitations, service.app.clock())).toHaveLength(1);
});
