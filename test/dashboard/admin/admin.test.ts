import { selectAccountEntry } from "../../../src/store/access/directory.ts";
import { selectCatalogueEntry } from "../../../src/store/offer/offer-catalogue.ts";
import { saveChosenOffer } from "../../../src/services/offer/choose-offer.ts";
import { changeReport } from "../../../src/services/report/change-report.ts";
import { removeAccount } from "../../../src/services/access/remove-account.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../../src/core/access/account.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, visitor, type Visitor } from "../../support/visitor.ts";

let service: TestService;
let root: Account;
let admin: Visitor;
beforeAll(async () => {
  service = await startTestService();
  root = await service.account("enterprise", "admin");
  admin = await signedIn(service, root);
});
afterAll(async () => {
  expect(service.defects).toEqual([]);
  await service.close();
});

const pathOf = ({ id }: Account): string => `/admin/accounts/${id}`;
const now = async (account: Account): Promise<Account | undefined> =>
  (await service.app.db.read(selectAccountEntry, account.id, Date.now()))?.account;
const facts = {
  id: "iron-8",
  name: "Iron 8",
  type: "game",
  provider_id: "foundry",
  provider_name: "Foundry Hosting",
  price_eur_cents: "1490",
  ram_gb: "7.5",
};

it("[OUR-ADM-01] does not exist for anybody else, and leads strangers to sign in", async () => {
  const somebody = await service.account("enterprise");
  const user = await signedIn(service, somebody);
  const token = await service.token(root);
  for (const path of ["/admin", "/admin/accounts", pathOf(somebody), "/admin/offers", "/admin/invitations"]) {
    expect((await user.get(path)).status, path).toBe(404);
    expect((await visitor(service).get(path)).status, path).toBe(303);
    expect((await service.request("GET", path, { token })).status, path).toBe(303);
  }
  const page = await user.get("/settings/security");
  const csrf = /name="_csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const forged = await service.request("POST", pathOf(somebody), {
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ _csrf: csrf, do: "role", role: "admin" }).toString(),
  });
  expect(forged.status).toBe(404);
  expect((await now(somebody))?.role).toBe("user");
  expect((await user.get("/settings/security")).text).not.toContain('href="/admin"');
});

describe("accounts", () => {
  it("[OUR-ADM-02] [OUR-ADM-03] are found by their address, and get a plan, a role and a verified address", async () => {
    const account = await service.account("free", "user", {
      email: "findme@admin.example",
      emailVerified: false,
    });
    const found = (await admin.get("/admin/accounts?search=FINDME")).text;
    expect(found).toContain("findme@admin.example");
    expect(found).not.toContain(root.email);
    expect((await admin.get("/admin/accounts?search=nobody-at-all")).text).toContain(
      "No e-mail address contains this text",
    );
    const page = (await admin.get(pathOf(account))).text;
    expect(page).toContain("not verified");
    expect(page).toContain("Mark as verified");
    const done = await admin.send(pathOf(account), "plan", { plan: "hosting" });
    expect([done.status, done.headers["location"]]).toEqual([303, pathOf(account)]);
    await admin.send(pathOf(account), "verify");
    await admin.send(pathOf(account), "role", { role: "admin" });
    expect(await now(account)).toMatchObject({ plan: "hosting", role: "admin", emailVerified: true });
    expect((await admin.get(pathOf(account))).text).not.toContain("Mark as verified");
    await admin.send(pathOf(account), "role", { role: "user" });
    expect((await admin.send(pathOf(account), "plan", { plan: "golden" })).status).toBe(400);
    expect((await admin.get("/admin/accounts/none")).status).toBe(404);
    const absent = pathOf({ ...account, id: "019a9f5e-1d00-7000-8000-0000000000ff" });
    expect((await admin.get(absent)).status).toBe(404);
  });

  it("[OUR-ADM-03] the last admin is neither demoted nor suspended, and the page gives the reason", async () => {
    for (const role of ["user", "suspended"]) {
      const refused = await admin.send(pathOf(root), "role", { role });
      expect(refused.status).toBe(409);
      expect(refused.text).toContain("This is the last admin");
    }
    expect((await now(root))?.role).toBe("admin");
  });

  it("[OUR-ADM-03] an admin who drops the own role is redirected to a page that states it", async () => {
    for (const [role, place, words] of [
      ["user", "/settings?after=role", "You are no longer an admin"],
      ["suspended", "/sign-in?after=suspended", "You suspended your own account"],
    ] as const) {
      const second = await service.account("pro", "admin");
      const browser = await signedIn(service, second);
      const same = await browser.send(pathOf(second), "role", { role: "admin" });
      expect(same.headers["location"]).toBe(pathOf(second));
      const done = await browser.send(pathOf(second), "role", { role });
      expect([done.status, done.headers["location"]]).toEqual([303, place]);
      const led = await browser.get(place);
      expect([led.status, led.text.includes(words)]).toEqual([200, true]);
      expect((await now(second))?.role).toBe(role);
    }
  });

  it("[OUR-ADM-04] a suspended account is signed out, and its tokens may nothing", async () => {
    const account = await service.account("pro");
    const token = await service.token(account);
    const browser = await signedIn(service, account);
    expect((await browser.get("/settings/security")).status).toBe(200);
    await admin.send(pathOf(account), "role", { role: "suspended" });
    expect((await browser.get("/settings/security")).status).toBe(303);
    expect((await service.request("GET", "/api/v1/servers", { token })).json["error"]).toBe("missing_scope");
    await admin.send(pathOf(account), "role", { role: "user" });
    expect((await browser.get("/settings/security")).status).toBe(303);
    expect((await service.request("GET", "/api/v1/servers", { token })).status).toBe(200);
  });
});

describe("offers", () => {
  it("[OUR-ADM-05] are added once, changed and withdrawn, and a refused form keeps what was typed", async () => {
    expect((await admin.get("/admin/offers")).text).toContain("The catalogue is empty");
    const made = await admin.send("/admin/offers", "create", facts);
    expect([made.status, made.headers["location"]]).toEqual([303, "/admin/offers/iron-8"]);
    const again = await admin.send("/admin/offers", "create", { ...facts, name: "Another" });
    expect([again.status, again.text.includes('value="Another"')]).toEqual([409, true]);
    const bad = await admin.send("/admin/offers/iron-8", "save", { ...facts, price_eur_cents: "a lot" });
    expect([bad.status, /role="alert"[^>]*>Takes /.test(bad.text)]).toEqual([400, true]);
    const script = await admin.send("/admin/offers/iron-8", "save", { ...facts, url: "javascript:alert(1)" });
    expect([script.status, /role="alert"[^>]*>Takes /.test(script.text)]).toEqual([400, true]);
    await admin.send("/admin/offers/iron-8", "save", { ...facts, name: "Iron <b>9</b>", location: "" });
    const entry = await service.app.db.read(selectCatalogueEntry, "iron-8");
    expect(entry?.listed).toMatchObject({
      name: "Iron <b>9</b>",
      location: null,
      ram_gb: 7.5,
      price_eur_cents: 1490,
    });
    const list = (await admin.get("/admin/offers")).text;
    expect(list).toContain("Iron &lt;b>9&lt;/b>");
    expect((await admin.send("/admin/offers", "remove_provider", { provider_id: "foundry" })).status).toBe(
      409,
    );
    await admin.send("/admin/offers/iron-8", "withdraw");
    expect((await admin.get("/admin/offers/iron-8")).status).toBe(404);
    await admin.send("/admin/offers", "remove_provider", { provider_id: "foundry" });
    expect((await admin.get("/admin/offers")).text).not.toContain("foundry");
  });

  it("[OUR-ADM-06] [OUR-ADM-07] are certified by a report, disputed, and unlinked from an owner's server", async () => {
    await admin.send("/admin/offers", "create", { ...facts, id: "iron-10" });
    const path = "/admin/offers/iron-10";
    const owner = await service.account("pro");
    const server = await service.server(owner, { name: "Lobby <i>1</i>" });
    const { id, shortId } = await service.report(server);
    const { db } = service.app;
    for (const report_id of ["junk", "23456789abcd", ""])
      expect((await admin.send(path, "certify", { report_id })).status).toBe(400);
    const hidden = await admin.send(path, "certify", { report_id: shortId });
    expect([hidden.status, hidden.text.includes("A private report cannot be certified")]).toEqual([
      409,
      true,
    ]);
    await db.write(changeReport, id, { visibility: "unlisted" });
    expect((await admin.send(path, "certify", { report_id: shortId })).status).toBe(303);
    const shown = (await admin.get(path)).text;
    expect(shown).toContain(id);
    expect(shown).toContain("Withdraw certificate");
    const token = await service.token(owner);
    const patch = () =>
      service.request("PATCH", `/api/v1/reports/${id}`, { token, body: { visibility: "private" } });
    expect((await patch()).json["error"]).toBe("report_locked");
    await admin.send(path, "end_certificate");
    expect((await patch()).status).toBe(200);
    expect((await admin.send(path, "end_certificate")).status).toBe(409);
    await admin.send(path, "dispute", { open: "yes" });
    expect((await admin.get(path)).text).toContain("End dispute");
    await admin.send(path, "dispute", { open: "no" });
    expect((await admin.get(path)).text).toContain("Open dispute");
    await db.write(saveChosenOffer, server.id, "iron-10");
    const linked = (await admin.get(path)).text;
    expect(linked).toContain(owner.email);
    expect(linked).not.toContain("<i>");
    expect((await admin.send(path, "unlink", { server_id: server.id })).status).toBe(303);
    expect((await admin.get(path)).text).toContain("No owner has stated");
  });
});

it("[OUR-ADM-09] the page of the service shows its versions, database and jobs", async () => {
  await service.service.work.run();
  const page = (await admin.get("/admin")).text;
  for (const words of ["SQLite", "algorithm 1", "Database answered in", "retention", "sweep"])
    expect(page).toContain(words);
});

it("[OUR-ADM-11] [OUR-ADM-16] the log of the service is newest first and a page at a time", async () => {
  const account = await service.account("free", "user", { email: "planned@admin.example" });
  const offersMade = 30;
  for (let count = 0; count < offersMade; count += 1)
    await admin.send("/admin/offers", "create", { ...facts, id: `page-${count}` });
  await admin.send(pathOf(account), "plan", { plan: "hosting" });
  const first = (await admin.get("/admin")).text;
  const words = "The plan was changed from free to hosting.";
  for (const told of [
    words,
    "plan changed",
    "planned<wbr",
    `href="${pathOf(root)}"`,
    `href="${pathOf(account)}"`,
  ])
    expect(first).toContain(told);
  expect(first.indexOf(words)).toBeLessThan(first.indexOf("Offer page-29 was made."));
  expect(first.indexOf("Offer page-29 ")).toBeLessThan(first.indexOf("Offer page-6 "));
  expect(first).not.toContain("Offer page-5 ");
  const older = /href="(\?cursor=[^"]+)"/.exec(first)?.[1] ?? "";
  const second = (await admin.get(`/admin${older.replaceAll("&amp;", "&")}`)).text;
  expect(second).toContain("Offer page-5 was made.");
  expect(second).not.toContain("Offer page-6 ");
  await removeAccount(service.app.db, account.id, Date.now());
  const after = (await admin.get("/admin")).text;
  expect(after).toContain(words);
  expect(after).not.toContain("planned<wbr");
  expect((await admin.get("/admin?cursor=nonsense")).status).toBe(400);
});

it("[OUR-ADM-10] people are invited by a link that is shown once, and invitations are taken back", async () => {
  const path = "/admin/invitations";
  const inviting = await startTestService({ signUp: "invite" });
  const host = await signedIn(inviting, await inviting.account("enterprise", "admin"));
  expect((await host.get(path)).text).toContain("No invitation is open");
  const made = await host.send(path, "create", { email: "" });
  expect(made.text).toMatch(/\/sign-up\?invitation=[\w-]{20,}/);
  const list = (await host.get(path)).text;
  expect(list).not.toContain("/sign-up?invitation=");
  const id = /name="invitation_id" value="([^"]+)"/.exec(list)?.[1] ?? "";
  expect((await host.send(path, "withdraw", { invitation_id: id })).status).toBe(303);
  expect((await host.get(path)).text).toContain("No invitation is open");
  await inviting.close();
});

it("[OUR-ADM-10] while sign-up is closed nobody is invited, and the page names the setting that opens it", async () => {
  const { text } = await admin.get("/admin/invitations");
  expect(text).toContain("TICKMARK_SIGN_UP=invite");
  expect(text).not.toContain('value="create"');
});
