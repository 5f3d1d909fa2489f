import { countActiveConnectors } from "../../src/store/access/connectors.ts";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Account } from "../../src/core/access/account.ts";
import { readScopes, scopes } from "../../src/core/access/scope.ts";
import { password, person } from "../dashboard/sign-in/people.ts";
import { register } from "../oauth/program.ts";
import { signedInAt, somebody, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** A name that would be an element if it were not text. */
const programName = '<b>Editor</b> & "friends"';

/** A program on a person's machine: the SDK's client, and the address on that machine it is answered at. */
interface Program {
  /** The last address that the program opened for its person. */
  readonly led: () => string;
  /** What its person's browser came back with. */
  readonly answered: () => URLSearchParams;
  readonly accessToken: () => string;
  connect(): Promise<Client>;
  /** Goes on with what the browser brought back. */
  finish(): Promise<void>;
  readonly home: string;
}

let service: TestService;
let browser: Browser;
let home: Server;
let origin: string;
const brought: URL[] = [];

const active = ({ id }: Account): Promise<number> =>
  service.app.db.read(countActiveConnectors, id, service.app.clock());

function program(): Program {
  const kept: Record<string, unknown> = {};
  const come: { led: string; from: number } = { led: "", from: brought.length };
  const redirectUrl = `${origin}/callback`;
  const keep = (name: string) => (value: unknown) => void (kept[name] = value);
  const authProvider = {
    redirectUrl,
    clientMetadata: { client_name: programName, redirect_uris: [redirectUrl] },
    state: () => "a state",
    clientInformation: () => kept["client"],
    saveClientInformation: keep("client"),
    tokens: () => kept["tokens"],
    saveTokens: keep("tokens"),
    saveCodeVerifier: keep("verifier"),
    codeVerifier: () => kept["verifier"],
    saveDiscoveryState: keep("discovery"),
    discoveryState: () => kept["discovery"],
    invalidateCredentials: (scope: string) =>
      void (scope === "all" || scope === "tokens" ? delete kept["tokens"] : 0),
    redirectToAuthorization: (url: URL) => void (come.led = url.href),
  } as never;
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${service.app.baseUrl}/mcp`), { authProvider });
  return {
    home: redirectUrl,
    led: () => come.led,
    answered: () => brought.at(-1)?.searchParams ?? new URLSearchParams(),
    accessToken: () => String((kept["tokens"] as { access_token?: string } | undefined)?.access_token),
    connect: async () => {
      const client = new Client({ name: "a program", version: "1.0.0" });
      await client.connect(transport());
      return client;
    },
    finish: () => transport().finishAuth(brought.at(-1)?.searchParams ?? new URLSearchParams()),
  };
}

/** A program that has just found out that it needs its person. */
async function startedProgram(): Promise<Program> {
  const one = program();
  await expect(one.connect()).rejects.toThrow();
  const { searchParams } = new URL(one.led());
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  expect(searchParams.get("resource")).toBe(`${service.app.baseUrl}/mcp`);
  return one;
}

/** The scopes a consent page offers, and which of them are ticked. */
async function offered({ page }: Somebody): Promise<{ offered: string[]; ticked: string[] }> {
  const found: { offered: string[]; ticked: string[] } = { offered: [], ticked: [] };
  for (const box of await page.locator('input[name="scope"]').all()) {
    const scope = (await box.getAttribute("value")) ?? "";
    found.offered.push(scope);
    if (await box.isChecked()) found.ticked.push(scope);
  }
  return found;
}

/** The browser requested only this service, and was redirected only to the program. */
async function leftFor(who: Somebody, { home: address }: Pick<Program, "home">): Promise<void> {
  expect(who.errors).toEqual([]);
  expect(who.foreign.filter((url) => !url.startsWith(`${address}?`))).toEqual([]);
  await who.context.close();
}

describe.runIf(chromiumPath !== null)("a program that asks its person, in their browser", () => {
  beforeAll(async () => {
    home = createServer((request, response) => {
      brought.push(new URL(request.url ?? "", origin));
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><link rel=icon href=data:,><title>Back</title><p>You can close this.");
    });
    home.listen(0, "127.0.0.1");
    await once(home, "listening");
    origin = `http://127.0.0.1:${(home.address() as AddressInfo).port}`;
    [service, browser] = await Promise.all([startTestService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    expect(service.defects).toEqual([]);
    await service.close();
    home.closeAllConnections();
    home.close();
  });

  it("[OUR-OAU-03] [OUR-OAU-14] is allowed, works, asks for more, and is out when its card is revoked", async () => {
    const account = await person(service);
    const who = await somebody(browser, service.app.baseUrl);
    const one = await startedProgram();
    await who.page.goto(one.led());
    expect(new URL(who.page.url()).pathname).toBe("/sign-in");
    await who.send("sign_in", { email: account.email, password });
    expect(new URL(who.page.url()).pathname).toMatch(/^\/oauth\/consent\//);
    expect(await who.page.locator("h1").innerText()).toBe(`Connect ${programName} to your account?`);
    expect(await who.page.locator("main b").count()).toBe(0);
    const text = await who.text();
    expect(text).toContain(new URL(one.home).host);
    expect(text).toMatch(/Counts as one of your tokens\s+0 of 5 in use now/);
    expect(await offered(who)).toEqual({ offered: [...scopes], ticked: [...readScopes] });
    await who.send("allow");
    expect(await who.text()).toBe("You can close this.");
    await one.finish();
    const client = await one.connect();
    const about = await client.callTool({ name: "get_token_info", arguments: {} });
    expect(about).toMatchObject({ structuredContent: { account: { id: account.id }, scopes: readScopes } });

    // The program requests a scope that it lacks, and its person may refuse it.
    const make = { name: "create_server_group", arguments: { name: "Lobbies" } };
    await expect(client.callTool(make)).rejects.toThrow();
    await who.page.goto(one.led());
    expect(await who.text()).toMatch(/Counts as one of your tokens\s+1 of 5 in use now/);
    // What it came for is named and ticked, beside what it has.
    expect(await who.text()).toContain("This program is connected already, and asks for more:");
    expect(await offered(who)).toEqual({
      offered: [...scopes],
      ticked: [...readScopes, "servers:write"],
    });
    await who.send("allow");
    await one.finish();
    expect(await active(account)).toBe(1);
    expect(await (await one.connect()).callTool(make)).toMatchObject({
      structuredContent: { name: "Lobbies" },
    });

    await who.visit("/settings/security");
    const cards = who.page.getByRole("row", { name: programName });
    expect(await cards.first().innerText()).toContain(
      `connector of ${programName} at ${new URL(one.home).host}`,
    );
    const call = () =>
      service.request("POST", "/mcp", {
        token: one.accessToken(),
        body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      });
    expect((await call()).status).toBe(200);
    // In Settings a right is taken away again, and the program learns that when it needs it.
    await who.page.getByRole("link", { name: "Change the rights of" }).first().click();
    await who.send("change", { scopes: [...readScopes] });
    await expect((await one.connect()).callTool(make)).rejects.toThrow();
    await who.visit("/settings/security");
    await who.send("revoke");
    const { status, json } = await call();
    expect([status, json["error"]]).toEqual([401, "token_revoked"]);
    await expect(one.connect()).rejects.toThrow();
    expect(await active(account)).toBe(0);
    await leftFor(who, one);
  });

  it("[OUR-OAU-13] learns that its person refused, and has no access", async () => {
    const account = await service.account();
    const who = await signedInAt(browser, service, account);
    const one = await startedProgram();
    await who.page.goto(one.led());
    await who.send("deny");
    expect(one.answered().get("error")).toBe("access_denied");
    await expect(one.finish()).rejects.toThrow(/access_denied|declined/i);
    await expect(one.connect()).rejects.toThrow();
    expect([one.accessToken(), await active(account)]).toEqual(["undefined", 0]);
    await leftFor(who, one);
  });

  it("[OUR-OAU-30] asks for more on a plan of one token: its connection gets it and goes on", async () => {
    const account = await service.account("free");
    const who = await signedInAt(browser, service, account);
    const one = await startedProgram();
    await who.page.goto(one.led());
    await who.send("allow");
    await one.finish();
    const client = await one.connect();
    const before = one.accessToken();
    const make = { name: "create_server_group", arguments: { name: "Lobbies" } };
    await expect(client.callTool(make)).rejects.toThrow();
    await who.page.goto(one.led());
    expect(await who.text()).toContain("This program is connected already, and asks for more:");
    await who.send("allow");
    await one.finish();
    const grown = await one.connect();
    expect(await grown.callTool(make)).toMatchObject({ structuredContent: { name: "Lobbies" } });
    expect([one.accessToken() === before, await active(account)]).toEqual([false, 1]);
    await leftFor(who, one);
  });

  it("[OUR-OAU-13] [OUR-OAU-27] waits beside another in one browser; two clicks, Back and a reload make sense", async () => {
    const account = await service.account("pro");
    const who = await signedInAt(browser, service, account);
    const [one, other] = [await startedProgram(), await startedProgram()];
    const pages: string[] = [];
    for (const { led } of [one, other]) {
      await who.page.goto(led());
      pages.push(who.page.url());
    }
    await who.page.goto(pages[0] ?? "");
    await who.form("allow").locator("button[type=submit]").dblclick();
    await who.page.waitForURL(`${one.home}?**`);
    await one.finish();
    await one.connect();
    await who.page.goBack();
    expect(who.page.url()).toBe(pages[0]);
    await who.page.reload();
    expect(await who.text()).toContain(`You connected ${programName}`);
    expect(await who.page.locator("form").count()).toBe(0);
    await who.page.goto(pages[1] ?? "");
    await who.send("allow");
    await other.finish();
    await other.connect();
    expect(await active(account)).toBe(2);
    await leftFor(who, other);
  });

  it("[OUR-OAU-27] is not a web address: the browser stays on a page that states the decision", async () => {
    const account = await service.account();
    const redirect = "tickmark-test://program/cb";
    const { json } = await register(service, { redirect_uris: [redirect] });
    const who = await signedInAt(browser, service, account);
    const query = new URLSearchParams({
      client_id: String(json["client_id"]),
      redirect_uri: redirect,
      response_type: "code",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    await who.visit(`/oauth/authorize?${query}`);
    const asked = who.page.url();
    const led = who.page.waitForResponse(
      (answer) => answer.status() === 303 && answer.url().includes("/authorize/"),
    );
    await who.send("allow");
    expect((await led).headers()["location"]).toMatch(/^tickmark-test:\/\/program\/cb\?code=/);
    expect(who.page.url()).toBe(asked);
    expect(await who.text()).toContain("You connected A program");
    // The link leads there once; after that the same page stays, without it. The browser's own question, whether to
    // open the program, stands over the page and takes the mouse, so the click is made inside the page.
    const way = who.page.getByRole("link", { name: "open the program" });
    await way.dispatchEvent("click");
    await expect.poll(() => way.count()).toBe(0);
    expect(who.page.url()).toBe(asked);
    expect(await who.text()).toContain("You connected A program");
    expect(await active(account)).toBe(1);
    await leftFor(who, { home: redirect });
  });

  it("[OUR-OAU-15] gets no access when the plan's one token is in use; the page states this", async () => {
    const account = await service.account("free");
    await service.token(account);
    const who = await signedInAt(browser, service, account);
    const one = await startedProgram();
    await who.page.goto(one.led());
    expect(await who.text()).toContain("Your plan (Free) covers 1 active token, and all are in use.");
    expect(await who.form("allow").count()).toBe(0);
    expect(await active(account)).toBe(1);
    await who.send("deny");
    expect(one.answered().get("code")).toBeNull();
    await leftFor(who, one);
  });
});
