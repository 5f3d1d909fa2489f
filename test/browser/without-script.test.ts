import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSession } from "../../src/contract/call/person.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe.skipIf(chromiumPath === null)("a browser without scripts", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it("[OUR-DSH-07] shows no upload form, which only a script can send, and the other way instead", async () => {
    const owner = await service.account("pro");
    const { id } = await service.server(owner);
    const { secret } = await startSession(service.app, owner, "tests", service.app.clock());
    const url = `http://127.0.0.1:${service.port}`;
    for (const javaScriptEnabled of [false, true]) {
      const context = await browser.newContext({ javaScriptEnabled });
      await context.addCookies([{ name: "tickmark", value: secret, url }]);
      const page = await context.newPage();
      for (const path of ["profiles", "memory-reports"]) {
        await page.goto(`${url}/servers/${id}/${path}`);
        expect(await page.locator("form[data-upload]").isVisible()).toBe(javaScriptEnabled);
        expect(await page.getByText("From a terminal or a plugin").isVisible()).toBe(true);
      }
      await context.close();
    }
  });
});
