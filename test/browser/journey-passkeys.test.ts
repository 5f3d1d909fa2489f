import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password, person } from "../dashboard/sign-in/people.ts";
import { freePort } from "../support/free-port.ts";
import { somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { startTestService, type TestService } from "../support/service.ts";

const path = "/settings/security/passkeys";
let service: TestService;
let browser: Browser;

/** The device with a fingerprint that Chromium simulates. */
async function virtualDevice(session: CDPSession): Promise<string> {
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

describe.runIf(chromiumPath !== null)("a passkey, in the browser of its person", () => {
  beforeAll(async () => {
    const port = await freePort();
    [service, browser] = await Promise.all([
      startTestService({ port, baseUrl: `http://localhost:${port}` }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
  });

  it("[OUR-PAS-01] [OUR-PAS-02] [OUR-PAS-03] [OUR-PAS-08] is made, signs in, is the second step, and opens nothing once removed", async () => {
    const account = await person(service);
    const who = await somebody(browser, service.app.baseUrl);
    const { page } = who;
    const session = await who.context.newCDPSession(page);
    const device = await virtualDevice(session);
    const verified = (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId: device, isUserVerified });
    const use = async (name: string, to: string) => {
      await page.getByRole("button", { name }).first().click();
      await page.waitForURL(to);
    };
    await who.visit("/sign-in");
    await who.send("sign_in", { email: account.email, password });
    await who.visit(path);
    await who.send("prepare", { name: "Laptop", password });
    await page.getByRole("button", { name: "Make the passkey" }).click();
    await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
    const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId: device });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

    await who.visit("/sign-out");
    await who.send("sign_out");
    await who.visit("/sign-in?to=%2Falerts");
    await verified(false);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The browser used no passkey. Try again.").waitFor();
    await verified(true);
    await use("Sign in with a passkey", "**/alerts");

    await who.visit("/sign-out");
    await who.send("sign_out");
    await who.visit("/sign-in");
    await who.send("sign_in", { email: account.email, password });
    expect(await who.text()).toContain("Recovery code");
    await use("Use a passkey", "**/servers");

    await who.visit(path);
    expect(await who.text()).toMatch(/Laptop/);
    const remove = who.form("remove");
    await remove.locator("input[name=password]").fill(password);
    await remove.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`**${path}?after=removed`);

    await who.visit("/sign-out");
    await who.send("sign_out");
    await who.visit("/sign-in");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("The passkey was refused").waitFor();
    await who.leave([401]);
  });
});
