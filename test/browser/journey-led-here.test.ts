import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { scopes } from "../../src/core/access/scope.ts";
import { readMail, startMailServer, type MailServer } from "../outbound/mail-server.ts";
import { signedInAt, somebody, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { captured } from "../support/captures.ts";
import { inspect, type Looks } from "../support/inspected.ts";
import { startTestService, type TestService } from "../support/service.ts";

const email = "friend@tests.example";

let browser: Browser;
let smtp: MailServer;
let service: TestService;
const looks: Looks & { pages: number } = { serious: [], wide: [], pages: 0 };

/** Looks at the page that somebody is on. */
async function look({ page }: Somebody, name: string, status?: string): Promise<void> {
  if (status !== undefined) expect(await page.locator("main").innerText()).toContain(status);
  await inspect(page, "led", name, looks);
  looks.pages += 1;
}

/** The path in the next mail. */
async function nextLink(): Promise<string> {
  await expect.poll(() => smtp.mails.length).toBeGreaterThan(0);
  const mail = smtp.mails.shift();
  const { text } = readMail(mail ?? { from: "", recipients: [], raw: "" });
  const link = text.split("\r\n").find((line) => line.startsWith(service.app.baseUrl)) ?? "";
  return link.slice(service.app.baseUrl.length);
}

/** The address that a program opens for its person. */
async function authorizationPath(): Promise<string> {
  const redirect_uri = "http://127.0.0.1:1/callback";
  const { json } = await service.request("POST", "/oauth/register", {
    body: { client_name: "A program with a name of some length", redirect_uris: [redirect_uri] },
  });
  const query = new URLSearchParams({
    client_id: String(json["client_id"]),
    redirect_uri,
    response_type: "code",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
    scope: scopes.join(" "),
  });
  return `/oauth/authorize?${query}`;
}

describe.runIf(chromiumPath !== null)("pages that a log, a mail or a program leads to", () => {
  beforeAll(async () => {
    [browser, smtp] = await Promise.all([launchBrowser(), startMailServer()]);
    service = await startTestService({ signUp: "invite", smtpUrl: smtp.url });
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
    await smtp.close();
  });

  it("[OUR-DSH-02] [OUR-DSH-03] the set-up page, and a code that is none", async () => {
    const who = await somebody(browser, service.app.baseUrl);
    await who.visit("/");
    await look(who, "set-up", "This service has no account yet.");
    await who.send("set_up", { code: "AAAAA-AAAAA-AAAAA-AAAAA", email, password: "correct horse battery" });
    expect(await who.page.getByRole("alert").count()).toBe(1);
    await look(who, "set-up refused");
    await who.leave([400, 401, 403]);
  });

  it("[OUR-SES-10] [OUR-SES-12] an invitation, a confirmation and a forgotten password, each by its mail", async () => {
    const admin = await service.account("enterprise", "admin");
    const host = await signedInAt(browser, service, admin);
    await host.visit("/admin/invitations");
    await host.send("create", { email });
    await look(host, "invitation made", "The link was mailed.");
    await host.leave();

    const guest = await somebody(browser, service.app.baseUrl);
    const invitation = await nextLink();
    await guest.visit(invitation);
    await look(guest, "invitation");
    expect(await guest.page.locator('[name="email"]').inputValue()).toBe(email);
    await guest.send("sign_up", { password: "correct horse battery" });
    expect(new URL(guest.page.url()).pathname).toBe("/settings");

    const confirmation = await nextLink();
    await guest.visit(confirmation);
    await look(guest, "confirmation", email);
    await guest.send("verify");
    await look(guest, "confirmed", "verified");
    await guest.visit(confirmation);
    await look(guest, "confirmation used", "This link cannot be used");
    await guest.visit("/sign-out");
    await guest.send("sign_out");

    await guest.visit("/password/forgot");
    await guest.send("ask", { email });
    await look(guest, "asked for a password", "Check your mail");
    const reset = await nextLink();
    await guest.visit(reset);
    await look(guest, "new password", email);
    await guest.send("reset", { password: "another long password" });
    expect(await guest.text()).toContain("The password was changed");
    await guest.send("sign_in", { email, password: "another long password" });
    expect(new URL(guest.page.url()).pathname).toBe("/servers");
    await guest.visit(reset);
    await look(guest, "new password used", "This link cannot be used");
    await guest.visit("/sign-out");
    await guest.send("sign_out");
    await guest.visit(invitation);
    await look(guest, "invitation used", "This invitation cannot be used");
    await guest.visit("/sign-up");
    await look(guest, "by invitation", "Accounts are made by invitation");
    await guest.leave();
  });

  it("[OUR-DSH-02] [OUR-DSH-03] the consent page with a free token and without, and the error page", async () => {
    const question = async (account: Account, name: string, words: string): Promise<void> => {
      const who = await signedInAt(browser, service, account);
      await who.visit(await authorizationPath());
      await look(who, name, words);
      await who.leave();
    };
    const full = await service.account("free");
    await service.token(full);
    await question(await service.account(), "consent", "It may also change things");
    await question(full, "consent without a place", "all are in use");
    const lost = await somebody(browser, service.app.baseUrl);
    await lost.visit("/oauth/authorize?client_id=unknown&response_type=code");
    expect(new URL(lost.page.url()).pathname).toBe("/oauth/refused");
    await look(lost, "not connected", "This program was not connected");
    await lost.visit("/oauth/consent/none");
    await look(lost, "sign in to consent");
    await lost.leave([400, 404]);
  });

  it("[OUR-DSH-02] [OUR-DSH-03] a token that was just made", async () => {
    const who = await signedInAt(browser, service, await service.account());
    await who.visit("/settings/security");
    await who.send("create", { name: "A script", scopes: ["servers:read"] });
    await look(who, "token made", "Copy it now");
    await who.leave();
  });

  it("[OUR-DSH-02] [OUR-DSH-03] the comparison of two captures, and a page that does not exist", async () => {
    const account = await service.account();
    const { id } = await service.server(account, { name: "Lobby" });
    const found = await captured(service.app, { id });
    const who = await signedInAt(browser, service, account);
    const pair = (base: string, other: string): string => `?${new URLSearchParams({ base, other })}`;
    await who.visit(`/servers/${id}/profiles/compare${pair(found.summary, found.otherSummary)}`);
    await look(who, "two profiles");
    await who.visit(
      `/servers/${id}/memory-reports/compare${pair(found.memoryReport, found.otherMemoryReport)}`,
    );
    await look(who, "two memory reports");
    await who.visit("/servers/00000000-0000-0000-0000-000000000000");
    await look(who, "not there", "Page not found");
    await who.leave([404]);
  });

  it("[OUR-DSH-01] [OUR-DSH-02] [OUR-DSH-03] all of them read for everybody, in both themes, on a phone", () => {
    console.log(
      `${looks.pages} pages: ${looks.serious.length} serious or critical findings, ${looks.wide.length} wider than 360 px`,
    );
    expect(looks.serious).toEqual([]);
    expect(looks.wide).toEqual([]);
    expect(looks.pages).toBeGreaterThan(14);
  });
});
