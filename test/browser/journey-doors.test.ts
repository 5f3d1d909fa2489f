import { countActiveConnectors } from "../../src/store/access/connectors.ts";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { signedInAt, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let browser: Browser;
let account: Account;
let who: Somebody;
/** Somebody else's web pages: those of another port share the site, those of another name do not. */
let elsewhere: Server;
let elsewherePort: number;
let shown = "";

/** The response to a script of the page: status and body; null if the request is blocked. */
async function fetched(
  path: string,
  init: Readonly<Record<string, unknown>> = {},
): Promise<{ status: number; text: string; from: string } | null> {
  const asked = JSON.stringify([
    new URL(path, service.app.baseUrl).href,
    { credentials: "include", ...init },
  ]);
  return who.page.evaluate(
    `fetch(...${asked}).then(async (answer) => ({ status: answer.status, text: await answer.text(), from: location.origin }), () => null)`,
  );
}

/** Opens a page of somebody else that holds this. */
async function visitElsewhere(host: string, html: string): Promise<void> {
  shown = `<!doctype html><link rel=icon href=data:,><title>Elsewhere</title>${html}`;
  await who.page.goto(`http://${host}:${elsewherePort}/`);
}

const tokens = (): Promise<number> =>
  service.app.db.read(countActiveConnectors, account.id, service.app.clock());

/** A form that would make a token, were it taken. */
const fields = { do: "create", name: "Stolen", expires_in_days: "90", scopes: "servers:read" };
const formHeaders = { "content-type": "application/x-www-form-urlencoded" };

const elsewhereHosts = ["127.0.0.1", "localhost"];

describe.runIf(chromiumPath !== null)("a browser with a session", () => {
  beforeAll(async () => {
    elsewhere = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(shown);
    });
    elsewhere.listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    elsewherePort = (elsewhere.address() as AddressInfo).port;
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
    account = await service.account();
    who = await signedInAt(browser, service, account);
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
  });

  it("[OUR-SES-18] [ACC-03] has no say at the API and the connector: its cookie is not read there", async () => {
    await who.visit("/servers");
    const call = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    const answers = {
      page: (await fetched("/servers"))?.status,
      api: (await fetched("/api/v1/servers"))?.status,
      write: (await fetched("/api/v1/server-groups", call))?.status,
      connector: (await fetched("/mcp", call))?.status,
      plugin: (await fetched("/plugin/v1/heartbeat", call))?.status,
    };
    expect(answers).toEqual({ page: 200, api: 401, write: 401, connector: 401, plugin: 401 });
  });

  it("[OUR-SES-17] sends no form without its token, from a script of the page or from elsewhere", async () => {
    const before = await tokens();
    await who.visit("/settings/security");
    const statuses = [];
    for (const token of [{}, { _csrf: "forged" }]) {
      const body = new URLSearchParams({ ...fields, ...token }).toString();
      statuses.push(
        (await fetched("/settings/security", { method: "POST", headers: formHeaders, body }))?.status,
      );
    }
    expect(statuses).toEqual([403, 403]);
    const good = await who.page.locator('[name="_csrf"]').first().inputValue();
    for (const host of elsewhereHosts) {
      const inputs = Object.entries({ ...fields, _csrf: good }).map(
        ([name, value]) => `<input type=hidden name="${name}" value="${value}">`,
      );
      const action = `${service.app.baseUrl}/settings/security`;
      await visitElsewhere(
        host,
        `<form method=post action="${action}">${inputs.join("")}<button>Send</button></form>`,
      );
      const answered = who.page.waitForResponse((response) => response.url() === action);
      await who.follow(who.page.getByRole("button"));
      expect((await answered).status(), host).toBe(403);
      expect(await who.text()).toContain("This form was sent from another site.");
    }
    expect(await tokens()).toBe(before);
    console.log(`forms without a token of theirs or from elsewhere: ${2 + elsewhereHosts.length}, taken = 0`);
  });

  it("[OUR-OAU-25] lets pages of elsewhere get a program's tokens, and read nothing of its person's", async () => {
    const json = { "content-type": "application/json" };
    for (const host of elsewhereHosts) {
      await visitElsewhere(host, "");
      const open = { credentials: "omit" };
      const version = { "mcp-protocol-version": "2025-11-25" };
      const metadata = await fetched("/.well-known/oauth-authorization-server", {
        ...open,
        headers: version,
      });
      expect(metadata?.status).toBe(200);
      const resource = await fetched("/.well-known/oauth-protected-resource/mcp", open);
      expect(JSON.parse(resource?.text ?? "")).toMatchObject({ resource: `${service.app.baseUrl}/mcp` });
      const redirect_uris = [`http://${host}:${elsewherePort}/callback`];
      const body = JSON.stringify({ client_name: "A page", redirect_uris });
      expect(
        (await fetched("/oauth/register", { ...open, method: "POST", headers: json, body }))?.status,
      ).toBe(201);
      const code = new URLSearchParams({ grant_type: "authorization_code", code: "none", client_id: "none" });
      const refused = await fetched("/oauth/token", {
        ...open,
        method: "POST",
        headers: formHeaders,
        body: code.toString(),
      });
      expect([refused?.status, refused?.from]).toEqual([401, `http://${host}:${elsewherePort}`]);
      for (const path of [
        "/servers",
        "/settings/security",
        "/api/v1/reports",
        "/api/v1/token",
        "/oauth/token",
      ])
        expect(await fetched(path), `${host} ${path}`).toBeNull();
      const call = { method: "POST", headers: json, body: "{}" };
      expect(await fetched("/mcp", call)).toBeNull();
    }
  });

  it("shows no page of its own in a frame of others", async () => {
    for (const host of elsewhereHosts) {
      await visitElsewhere(host, `<iframe src="${service.app.baseUrl}/settings/security"></iframe>`);
      const isRefused = (error: string): boolean =>
        error.includes("frame-ancestors") &&
        error.includes(service.app.baseUrl) &&
        error.includes(`${host}:`);
      await expect.poll(() => who.errors.some(isRefused)).toBe(true);
    }
  });
});
