import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { readMail, startMailServer, type MailServer } from "../../outbound/mail-server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { signedIn, visitor } from "../../support/visitor.ts";

const password = "correct horse battery";
const hash = await hashPassword(password);

let smtp: MailServer;
let service: TestService;
beforeAll(async () => {
  smtp = await startMailServer();
  service = await startTestService({ smtpUrl: smtp.url, signUp: "open" });
});
afterAll(async () => {
  await service.close();
  await smtp.close();
});

async function person(changes: Partial<Account> = {}): Promise<Account> {
  const account = await service.account("pro", "user", changes);
  await service.app.db.write(replacePassword, account.id, hash, null);
  return account;
}

/** The path in the next mail, and its recipients. Mails about a new browser are skipped. */
async function nextMail(): Promise<{ to: readonly string[]; path: string; text: string }> {
  await expect.poll(() => smtp.mails.length).toBeGreaterThan(0);
  const mail = smtp.mails.shift();
  if (!mail) throw new Error("No mail came.");
  const { text } = readMail(mail);
  if (text.includes("signed in at")) return nextMail();
  const origin = `http://127.0.0.1:${service.port}`;
  const link = text.split("\r\n").find((line) => line.startsWith(origin)) ?? "";
  return { to: mail.recipients, path: link.slice(origin.length), text };
}

it("[OUR-SES-12] [OUR-SES-14] a mailed link chooses a new password; opening it changes nothing", async () => {
  const account = await person();
  const phone = await signedIn(service, account);
  const asked = await visitor(service).send("/password/forgot", "ask", { email: account.email });
  expect([asked.status, asked.text.includes("Check your mail")]).toEqual([200, true]);
  const { to, path } = await nextMail();
  expect(to).toEqual([account.email]);
  expect(path).toMatch(/^\/password\/reset\/[\w-]{32}$/);
  for (let opened = 0; opened < 3; opened += 1)
    expect((await visitor(service).get(path)).text).toContain(account.email);
  expect((await phone.get("/settings")).status).toBe(200);
  const short = await visitor(service).send(path, "reset", { password: "short" });
  expect([short.status, short.text.includes("akes 10 to 200 characters")]).toEqual([400, true]);
  const done = await visitor(service).send(path, "reset", { password: "another long password" });
  expect([done.status, done.headers.location]).toEqual([303, "/sign-in?after=password"]);
  expect((await phone.get("/settings")).status).toBe(303);
  expect((await visitor(service).get(path)).text).toContain("This link cannot be used");
  const browser = visitor(service);
  const entered = await browser.send("/sign-in", "sign_in", {
    email: account.email,
    password: "another long password",
  });
  expect(entered.headers.location).toBe("/servers");
  expect((await nextMail()).text).toContain("Every other browser was signed out.");
});

it("[OUR-SES-13] an address without an account is answered alike, and gets no mail", async () => {
  const account = await person();
  const page = async (email: string): Promise<string> => {
    const { text } = await visitor(service).send("/password/forgot", "ask", { email });
    return text.replaceAll(email, "…").replaceAll(/value="[^"]*"/g, "");
  };
  expect(await page("nobody@example.org")).toBe(await page(account.email));
  expect((await nextMail()).to).toEqual([account.email]);
  expect(smtp.mails).toEqual([]);
});

it("[OUR-SES-12] [OUR-SES-15] a new address is verified by the button behind its link", async () => {
  const account = await person();
  const browser = await signedIn(service, account);
  const fresh = `fresh-${account.email}`;
  const changed = await browser.send("/settings", "change_email", { email: fresh, password });
  expect(changed.headers.location).toBe("/settings?after=email");
  const [told, asked] = [await nextMail(), await nextMail()];
  expect([told.to, told.path, asked.to]).toEqual([[account.email], "", [fresh]]);
  expect((await visitor(service).get(asked.path)).text).toContain(fresh);
  expect((await browser.get("/settings")).text).toContain("not verified</span>");
  const confirmed = await visitor(service).send(asked.path, "verify");
  expect([confirmed.status, confirmed.text.includes("Confirmed")]).toEqual([200, true]);
  expect((await browser.get("/settings")).text).not.toContain("not verified</span>");
  expect((await visitor(service).get(asked.path)).text).toContain("This link cannot be used");
});

it("[OUR-SES-11] the mail that verifies an address is sent again from the settings", async () => {
  const account = await person({ emailVerified: false });
  const browser = await signedIn(service, account);
  expect((await browser.get("/settings")).text).toContain("Send the mail again");
  const sent = await browser.send("/settings", "verify_email");
  expect(sent.headers.location).toBe("/settings?after=mail");
  const { path } = await nextMail();
  await browser.send(path, "verify");
  expect((await browser.get("/settings")).text).not.toContain("Send the mail again");
});

it("[OUR-SES-11] says so when the mail server does not take the mail", async () => {
  const broken = await startTestService({ smtpUrl: "smtp://127.0.0.1:9" });
  try {
    const account = await broken.account("pro", "user", { emailVerified: false });
    const answer = await (await signedIn(broken, account)).send("/settings", "verify_email");
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("The mail server refused the mail.");
  } finally {
    await broken.close();
  }
});
