import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Demo, removeDirectories, type Line } from "../demo/child.ts";
import { chromiumPath, launchBrowser, watchedPage, type WatchedPage } from "../support/browser.ts";
import { isLong } from "../support/long.ts";
import { addIfWide, inspect, inspectOnPhone, type Looks } from "../support/inspected.ts";
import { addIfCutOrMoving, addIfHeavy } from "../support/page-checks.ts";
import { pageKindOf, pagePaths } from "../support/page-kinds.ts";

/** How many pages of one kind are looked at: they are all made by the same code. */
const ofEachKind = isLong ? 2 : 1;

let demo: Demo;
let line: Line;
let browser: Browser;
/** The kinds of pages that were shown so far. */
const seen = new Set<string>();

async function signIn(page: Page, who: keyof Line["accounts"]): Promise<void> {
  const { email, password } = line.accounts[who];
  await page.goto(`${line.base_url}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${line.base_url}/servers`);
}

/** Links of the page to places here, with their queries but without their fragments. */
const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...new Set([...document.querySelectorAll("a[href]")].map((a) => new URL(a.getAttribute("href"), location.href)).filter((u) => u.origin === location.origin).map((u) => u.pathname + u.search))]`,
  );

interface Findings extends Looks {
  readonly visited: Map<string, string[]>;
  readonly broken: string[];
  /** Pages that are too high on a phone. */
  readonly tall: string[];
  /** Pages that weigh more than they may. */
  readonly heavy: string[];
  /** What a zoom cuts off, and what moves. */
  readonly cut: string[];
}

/** On a phone of that width a page is lower than this, CSS pixels. */
const [phone, tallest] = [{ width: 390, height: 844 }, 3500];

/** These may be as long as what they explain. */
const mayBeTall = /^\/docs|\/profiles\/\{profile\}$/;

/** The heights of the pages of a kind, on a phone. */
const heights = new Map<string, number[]>();

async function addIfTall(
  page: Page,
  who: string,
  path: string,
  { kind, tall }: { kind: string; tall: string[] },
): Promise<void> {
  await page.setViewportSize(phone);
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  heights.set(kind, [...(heights.get(kind) ?? []), height]);
  if (height >= tallest) tall.push(`${who} ${path}: ${height} px`);
}

/** The documentation is the same for everybody. */
const isSameForAll = (kind: string): boolean => kind.startsWith("/docs");

/**
 * Follows every link from `starts`, in as many pages at once as there are, and inspects a few pages of each kind: of
 * every kind, or of the kinds that no account before has shown. One load of a page serves every width and theme. A kind
 * that an account before has shown is inspected on a phone alone, and by axe where it has an empty list.
 */
async function crawl(
  watched: readonly WatchedPage[],
  who: string,
  starts: readonly string[],
  looks: "all" | "new kinds",
): Promise<Findings> {
  const findings: Findings = {
    visited: new Map(),
    broken: [],
    tall: [],
    heavy: [],
    cut: [],
    serious: [],
    wide: [],
  };
  const queue = [...starts];
  const queued = new Set(queue);
  const isKnown = (kind: string): boolean => seen.has(kind);
  const next = (): { path: string; kind: string; alike: string[] } | null => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const kind = pageKindOf(path.split("?")[0] ?? "");
      const alike = kind === null ? [] : (findings.visited.get(kind) ?? []);
      if (kind === null || alike.length >= ofEachKind) continue;
      if (!isLong && isKnown(kind) && (looks === "new kinds" || isSameForAll(kind))) continue;
      findings.visited.set(kind, [...alike, path]);
      return { path, kind, alike };
    }
    return null;
  };
  const visit = async ({ page }: WatchedPage): Promise<boolean> => {
    const taken = next();
    if (taken === null) return false;
    const { path, kind, alike } = taken;
    const answer = await page.goto(line.base_url + path);
    if ((answer?.status() ?? 0) >= 400) {
      findings.broken.push(`${who} ${path}: ${answer?.status()}`);
      findings.visited.set(kind, alike);
      return true;
    }
    await addIfHeavy(page, kind, `${who} ${path}`, findings.heavy);
    if (!isKnown(kind) || isLong) await inspect(page, who, path, findings);
    else if (await page.evaluate(`document.querySelector(".empty") !== null`))
      await inspectOnPhone(page, who, path, findings);
    else await addIfWide(page, who, path, findings.wide);
    if (!isKnown(kind)) await addIfCutOrMoving(page, `${who} ${path}`, findings.cut);
    if (!mayBeTall.test(kind)) await addIfTall(page, who, path, { kind, tall: findings.tall });
    for (const link of await linksOf(page)) {
      if (queued.has(link)) continue;
      queued.add(link);
      queue.push(link);
    }
    return true;
  };
  for (;;) if (!(await Promise.all(watched.map(visit))).includes(true)) return findings;
}

/** Nothing links to these: they are reached from a mail, by a program that asks for consent, or by a form. */
const reachedFromElsewhere = new Set(
  pagePaths.filter((path) =>
    /^\/(verify-email|password\/reset|sign-in\/open-codes|oauth)|set-up|confirm|\}\/\w[\w-]*\/compare$/.test(
      path,
    ),
  ),
);

describe.runIf(chromiumPath !== null)("every page, in a real browser", () => {
  beforeAll(async () => {
    demo = new Demo(["--json", "--port", "0", "--still"]);
    line = await demo.line();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await demo.end();
    removeDirectories();
  });

  it.each([
    ["anonymous", ["/", "/sign-up", "/password/forgot"], "all"],
    // Pages full of data, and pages with nothing to show yet.
    ["enterprise", ["/servers"], "all"],
    ["free", ["/servers"], "all"],
    ["admin", ["/servers", "/admin"], "new kinds"],
  ] as const)(
    "[OUR-DSH-01] [OUR-DSH-02] [OUR-DSH-03] [OUR-DSH-17] [OUR-DSH-19] [OUR-DSH-20] of %s reads in both themes, on a phone, for everybody, and asks nobody else",
    async (who, starts, looks) => {
      const context = await browser.newContext();
      const one = await watchedPage(context, line.base_url);
      if (who !== "anonymous") {
        await signIn(one.page, who);
        // Something for the pages of what tokens did.
        await fetch(`${line.base_url}/api/v1/token`, {
          headers: { authorization: `Bearer ${line.accounts[who].token}` },
        });
      }
      const watched = [one, await watchedPage(context, line.base_url)];
      const findings = await crawl(watched, who, starts, looks);
      for (const kind of findings.visited.keys()) seen.add(kind);
      expect(findings.broken).toEqual([]);
      expect(findings.serious).toEqual([]);
      expect(findings.wide).toEqual([]);
      expect(findings.tall).toEqual([]);
      expect(findings.heavy).toEqual([]);
      expect(findings.cut).toEqual([]);
      expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
      expect(watched.flatMap(({ foreign }) => foreign)).toEqual([]);
      await context.close();
    },
  );

  it("[OUR-LIV-23] a server's pages are lower than 3,500 px on a phone", () => {
    for (const kind of ["", "/charts", "/timeline"].map((part) => `/servers/{id}${part}`)) {
      const seenOfKind = heights.get(kind) ?? [];
      expect(seenOfKind.length, kind).toBeGreaterThan(0);
      expect(Math.max(...seenOfKind), kind).toBeLessThan(tallest);
    }
  });

  it("[OUR-DSH-04] each is reached by links", () => {
    const missed = pagePaths.filter((path) => !seen.has(path) && !reachedFromElsewhere.has(path));
    console.log(
      `pages in a real browser: ${seen.size} of ${pagePaths.length}; not by links: ${[...reachedFromElsewhere].join(" ")}`,
    );
    expect(missed).toEqual([]);
  });
});
