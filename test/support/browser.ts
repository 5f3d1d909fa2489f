import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from "playwright-core";

/**
 * Where a system keeps its Chromium; TICKMARK_TEST_CHROMIUM names another. The one without windows comes first: the same
 * tests cost it a fifth less processor time.
 */
const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser of this machine; null where there is none, and then the tests that need one say so. */
export const chromiumPath: string | null =
  [process.env["TICKMARK_TEST_CHROMIUM"] ?? "", ...places].find((path) => path !== "" && existsSync(path)) ??
  null;

if (chromiumPath === null)
  console.log(
    "No Chromium on this machine: the tests in test/browser are left out. Install one to run them.",
  );

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox", "--disable-gpu"] });

/** A page that remembers what went wrong on it: errors on its console, and requests to other hosts. */
export interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly foreign: readonly string[];
}

export async function watchedPage(context: BrowserContext, baseUrl: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${page.url()})`);
  });
  page.on("pageerror", (error) => errors.push(`${String(error)} (${page.url()})`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !url.startsWith("data:")) foreign.push(url);
  });
  return { page, errors, foreign };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of axe whose result a theme or a width changes, and those on the names of what only a phone shows. */
export const looksOnly: readonly string[] = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
  "button-name",
  "label",
  "link-name",
];

/** Runs those rules of axe (null: all) on the page as it stands: each finding that is more than minor, with its place. */
export type Axe = (rules: readonly string[] | null) => Promise<string[]>;

const runAxe = (rules: readonly string[] | null): string => {
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  return `axe.run(${JSON.stringify(options)}).then((r) => JSON.stringify(r.violations.filter((v) => v.impact !== 'minor').map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', '))))`;
};

const sessions = new WeakMap<Page, CDPSession>();

/** Loads axe into the page: in a world of its own, because the page's policy would refuse its script. */
export async function loadAxe(page: Page): Promise<Axe> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "axe",
  });
  await session.send("Runtime.evaluate", { expression: axeSource, contextId });
  return async (rules) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression: runAxe(rules),
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(`axe failed: ${exceptionDetails.text}`);
    return JSON.parse(String(result.value)) as string[];
  };
}
