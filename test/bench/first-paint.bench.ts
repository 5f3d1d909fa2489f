import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Cookie, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Demo, removeDirectories, type Line } from "../demo/child.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { pageKindOf } from "../support/page-kinds.ts";
import { start, untilAnswers } from "./processes.ts";

/** The aim of every page: its first paint, ms. */
const aimMs = 200;
/** How often a page is opened, each time by a browser that has nothing of it. */
const rounds = 3;

/** What a browser saw of one page, ms. */
interface Opened {
  readonly paint: number;
  /** From the request for the document until its last byte. */
  readonly document: number;
}

const folder = mkdtempSync(join(tmpdir(), "first-paint-"));
/** The pages by their kind, each with the cookies of somebody who may open it. */
const found = new Map<string, { readonly path: string; readonly cookies: Cookie[] }>();
let browser: Browser;
let port: number;
let child: ChildProcess | null = null;

/** Signs in as a person does, and finds one page of each kind by following links. */
async function findPages({ base_url, accounts }: Line, who: "enterprise" | "admin"): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base_url}/sign-in`);
  await page.getByLabel("E-mail address").fill(accounts[who].email);
  await page.getByLabel("Password").fill(accounts[who].password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${base_url}/servers`);
  const cookies = await context.cookies();
  await context.close();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const queue = ["/", "/servers", ...(who === "admin" ? ["/admin"] : [])];
  const queued = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const kind = pageKindOf(path.split("?")[0] ?? "");
    if (kind === null || found.has(kind)) continue;
    const answer = await fetch(base_url + path, { headers: { cookie, accept: "text/html" } });
    if (answer.status !== 200) continue;
    found.set(kind, { path, cookies });
    for (const [, link = ""] of (await answer.text()).matchAll(/href="(\/[^"#]*)/g)) {
      const plain = link.replaceAll("&amp;", "&");
      if (queued.has(plain)) continue;
      queued.add(plain);
      queue.push(plain);
    }
  }
}

async function startService(): Promise<void> {
  child = start("dist/main.js", ["serve"], {
    TICKMARK_DATABASE_URL: `sqlite:${join(folder, "demo-1.db")}`,
    TICKMARK_PORT: String(port),
    TICKMARK_LOG_LEVEL: "warn",
  });
  await untilAnswers(`http://127.0.0.1:${port}/livez`);
}

async function endService(): Promise<void> {
  const ended = child && once(child, "close");
  child?.kill("SIGTERM");
  await ended;
  child = null;
}

/** How a page is opened: in a new tab, or in one that shows another page of the service. */
type From = "new tab" | "another page";

/** Another page, which every visitor may open. */
const otherPage = "/docs";

/** A tab of a browser that keeps nothing of what it was sent. */
async function newTab(cookies: readonly Cookie[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([...cookies]);
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return tab;
}

/** Opens an address in a tab, which is closed afterwards. */
async function openIn(tab: Page, address: string): Promise<Opened> {
  const answer = await tab.goto(address);
  expect(answer?.status(), address).toBe(200);
  const opened = await tab.evaluate<Opened>(`(async () => {
    const paints = () => performance.getEntriesByName("first-contentful-paint");
    while (paints().length === 0) await new Promise(requestAnimationFrame);
    const [{ requestStart, responseEnd }] = performance.getEntriesByType("navigation");
    return { paint: paints()[0].startTime, document: responseEnd - requestStart };
  })()`);
  await tab.context().close();
  return opened;
}

/** Opens a page of the service. What happens between the other page and this one is done by `before`. */
async function open(kind: string, from: From, before = async () => {}): Promise<Opened> {
  const { path = "", cookies = [] } = found.get(kind) ?? {};
  const address = `http://127.0.0.1:${port}`;
  const tab = await newTab(cookies);
  if (from === "another page") await tab.goto(address + otherPage);
  await before();
  return openIn(tab, address + path);
}

const bareRounds = 15;

/**
 * The first paint of one line of text without a style sheet, by a bare server in this process: what the browser takes.
 * Where a page keeps other sites' windows off, the browser shows it in a process of its own, which a new tab begins.
 */
async function openBarePage(headers: Readonly<Record<string, string>>): Promise<number> {
  const bare = createServer((_, answer) =>
    answer
      .writeHead(200, { "content-type": "text/html", ...headers })
      .end("<!doctype html><title>Bare</title><p>One line</p>"),
  ).listen(0, "127.0.0.1");
  await once(bare, "listening");
  const address = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const paints: number[] = [];
  for (let round = 0; round < bareRounds; round += 1)
    paints.push((await openIn(await newTab([]), address)).paint);
  bare.close();
  return median(paints);
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Prints the pages, worst first, and those above the aim. */
function print(title: string, measured: ReadonlyMap<string, Opened>): void {
  const rows = [...measured].toSorted(([, one], [, other]) => other.paint - one.paint);
  const above = rows.filter(([, { paint }]) => paint > aimMs).length;
  console.log(
    [
      `${title}: ${above} of ${rows.length} pages above ${aimMs} ms (first contentful paint, of that the document)`,
      ...rows.map(
        ([kind, { paint, document }]) => `${paint.toFixed(0)} ms, ${document.toFixed(0)} ms  ${kind}`,
      ),
    ].join("\n"),
  );
}

describe.runIf(chromiumPath !== null)("the first paint of every page of the demo", () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    const demo = new Demo(["--json", "--port", "0", "--still", "--data", folder]);
    const line = await demo.line();
    await findPages(line, "enterprise");
    await findPages(line, "admin");
    await demo.end();
    port = await freePort();
  }, 120_000);
  afterAll(async () => {
    await endService();
    await browser.close();
    removeDirectories();
    rmSync(folder, { recursive: true });
  });

  it("of one line of text", async () => {
    const plain = await openBarePage({});
    const alike = await openBarePage({ "cross-origin-opener-policy": "same-origin" });
    console.log(
      `a bare page of one line in a new tab: ${plain.toFixed(0)} ms, with the header that keeps other windows off ${alike.toFixed(0)} ms`,
    );
  });

  it.each(["another page", "new tab"] as const)(
    "from %s, of a service that has shown each before",
    async (from) => {
      await startService();
      const measured = new Map<string, Opened>();
      for (const kind of found.keys()) await open(kind, from);
      for (const kind of found.keys()) {
        const runs: Opened[] = [];
        for (let round = 0; round < rounds; round += 1) runs.push(await open(kind, from));
        measured.set(kind, {
          paint: median(runs.map(({ paint }) => paint)),
          document: median(runs.map(({ document }) => document)),
        });
      }
      await endService();
      print(`from ${from}, median of ${rounds}`, measured);
    },
  );

  it("from another page, as the first request after a start", async () => {
    const measured = new Map<string, Opened>();
    for (const kind of found.keys()) {
      await startService();
      const restart = async () => {
        await endService();
        await startService();
      };
      measured.set(kind, await open(kind, "another page", restart));
      await endService();
    }
    print("first request after a start", measured);
  });
});
