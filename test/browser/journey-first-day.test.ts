import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pluginClient } from "../../src/outbound/plugin-client.ts";
import { somebody, type Somebody } from "../support/at-browser.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "first-day-"));
/** The service has no terminal here, so it writes the code into a file. */
const codeFile = join(directory, "set-up-code");
const email = "owner@tests.example";

let child: ChildProcess;
const abandon = (): void => void child.kill("SIGKILL");
let browser: Browser;
let owner: Somebody;
let told: { readonly baseUrl: string; readonly code: string };

/** The output of the service at its first start. */
async function firstWords({ stderr }: ChildProcess): Promise<typeof told> {
  if (stderr === null) throw new Error("The service has no terminal.");
  for await (const line of createInterface({ input: stderr })) {
    const [, url] = /Open (\S+) and enter the set-up code in /.exec(line) ?? [];
    if (url) return { baseUrl: new URL(url).origin, code: readFileSync(codeFile, "utf8").trim() };
  }
  throw new Error("The service ended before it told its set-up code.");
}

/** One call of the API as a script makes it. */
async function call(token: string, path: string): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await fetch(`${told.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

describe.runIf(chromiumPath !== null)("the first day with a service that was just started", () => {
  let credential = "";
  let token = "";

  beforeAll(async () => {
    child = spawn(process.execPath, [main, "serve"], {
      cwd: directory,
      env: {
        PATH: process.env["PATH"],
        HOME: directory,
        TICKMARK_PORT: "0",
        TICKMARK_SETUP_CODE_FILE: codeFile,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    process.once("exit", abandon);
    [told, browser] = await Promise.all([firstWords(child), launchBrowser()]);
    owner = await somebody(browser, told.baseUrl);
  });
  afterAll(async () => {
    await browser.close();
    process.off("exit", abandon);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });

  it("[OUR-SES-01] the first page asks for the code of the log, and makes the administrator's account", async () => {
    await owner.visit("/");
    expect(new URL(owner.page.url()).pathname).toBe("/set-up");
    await owner.send("set_up", { code: told.code, email, password: "correct horse battery" });
    expect(new URL(owner.page.url()).pathname).toBe("/servers");
    await owner.visit("/set-up");
    expect(new URL(owner.page.url()).pathname).toBe("/servers");
  });

  it("[OUR-LIV-04] [OUR-LIV-06] [OUR-DSH-08] a code of the plugin, typed in, links the server, which is seen to come online", async () => {
    const stranger = pluginClient(told.baseUrl);
    const { code, claim_secret } = await stranger.requestLinkCode({
      installation_id: "6f1c0c52-8a39-4c5e-9d5b-0000000000f1",
      server: { name: "Lobby", port: 25_565 },
    });
    expect(await stranger.claim(claim_secret)).toEqual({ status: "pending" });
    await owner.visit("/servers");
    await owner.send("link", { code: `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}` });
    expect(owner.page.url()).toMatch(/\/servers\/[0-9a-f-]{36}\/first-steps$/);
    expect(await owner.text()).toContain("Contact: waiting");
    const claimed = await stranger.claim(claim_secret);
    credential = claimed.status === "linked" ? claimed.auth_token : "";
    const now = new Date().toISOString();
    const answer = await pluginClient(told.baseUrl, credential).heartbeat({
      sent_at: now,
      boot_timestamp: now,
      plugin_version: "1.10.2",
      last_tick_age_ms: 40,
      announce: null,
      sample: { sampled_at: now, tps: 19.8, mspt: 31.4, player_count: 7 },
    });
    expect(answer).toMatchObject({ accepted: true, site_step: "on" });
    // Nobody reloads the page: what is live on it renews itself.
    await owner.page.getByText("Samples", { exact: true }).waitFor();
    expect(await owner.text()).toContain("Charts: waiting");
    await owner.page.getByRole("link", { name: "The page of the server" }).click();
    const seen = await owner.text();
    expect(seen).toContain("running");
    expect(seen).toContain("19.8");
    expect(seen).not.toContain("never seen");
    await owner.visit("/servers");
    const row = await owner.page.getByRole("row", { name: /Lobby/ }).innerText();
    expect(row).toContain("running");
    expect(row).toContain("19.8");
  });

  it("[ACC-08] [OUR-TKN-01] [OUR-TKN-05] [OUR-ACT-02] a token of the page is shown once, works, and is refused from its revocation on", async () => {
    await owner.visit("/settings/security");
    await owner.send("create", { name: "A script", scopes: ["servers:read", "monitoring:read"] });
    token = (await owner.page.locator("#token").innerText()).trim();
    expect(token).toMatch(/^tkm_/);
    const before = await call(token, "/servers");
    expect(before.status).toBe(200);
    expect(before.json["data"]).toMatchObject([{ name: "Lobby" }]);
    await owner.visit("/settings/security");
    expect(await owner.page.content()).not.toContain(token);
    const row = owner.page.getByRole("row", { name: /A script/ }).first();
    expect(await row.innerText()).toMatch(/\d+ s ago/);
    expect(await owner.text()).toMatch(/Calls today: 1 of/);
    expect(await call(token, "/token")).toMatchObject({ status: 200 });
    await owner.send("revoke");
    const after = await call(token, "/servers");
    expect([after.status, after.json["error"]]).toEqual([401, "token_revoked"]);
    expect(await owner.text()).toContain("There is no token yet.");
    const activity = async (): Promise<string> => {
      await owner.visit("/settings/security/activity");
      return owner.text();
    };
    await expect.poll(activity).toContain("401 token_revoked");
  });

  it("[OUR-DSH-01] no page logged an error on the console or requested another host", () => owner.leave());
});
