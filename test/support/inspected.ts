import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { readByAxe } from "./axe-copy.ts";
import { looksOnly } from "./browser.ts";

/** Where screenshots go, for people to look at; none are kept unless this is set. */
const screenshots = process.env["TICKMARK_TEST_SCREENSHOTS"] ?? null;

const desktop = { width: 1280, height: 900 };
/** A narrow phone: nothing but tables and code may be wider. */
const phone = { width: 360, height: 740 };

/** The looks in which a page is checked. */
const looks = [
  { name: "1280-light", viewport: desktop, colorScheme: "light" },
  { name: "360-dark", viewport: phone, colorScheme: "dark" },
] as const;

/** What is wrong with how pages look: what axe calls more than minor, and what scrolls sideways. */
export interface Looks {
  readonly serious: string[];
  readonly wide: string[];
}

/** Inspects a page on a dark phone alone, by all rules: one whose components were seen in both looks on other pages. */
export async function inspectOnPhone(
  page: Page,
  who: string,
  path: string,
  { serious, wide }: Looks,
): Promise<void> {
  const [, { name, viewport, colorScheme }] = looks;
  await readByAxe(page, async (copy) => {
    await Promise.all([copy.page.setViewportSize(viewport), copy.page.emulateMedia({ colorScheme })]);
    const found = await copy.axe(null);
    serious.push(...found.map((finding) => `${who} ${path} ${name}: ${finding}`));
  });
  await addIfWide(page, who, path, wide);
  if (screenshots !== null) await keepScreenshots(page, `${who}${path}`, screenshots);
}

/** The browsers of which a page was checked by all rules in both looks. */
const checkedOnce = new WeakSet<BrowserContext>();

/**
 * Inspects a page in both looks, and adds the findings. The first look is the one that the page is in. The rules that
 * neither a theme nor a width changes run in the wide one; in the narrow one they run on the first page of a browser,
 * for the header's menu.
 */
export async function inspect(
  page: Page,
  who: string,
  path: string,
  { serious, wide }: Looks,
): Promise<void> {
  const hasAll = checkedOnce.has(page.context());
  checkedOnce.add(page.context());
  await readByAxe(page, async (copy) => {
    const isNarrow = copy.page.viewportSize()?.width === phone.width;
    for (const { name, viewport, colorScheme } of isNarrow ? looks.toReversed() : looks) {
      await Promise.all([copy.page.setViewportSize(viewport), copy.page.emulateMedia({ colorScheme })]);
      const found = await copy.axe(viewport === phone && hasAll ? looksOnly : null);
      serious.push(...found.map((finding) => `${who} ${path} ${name}: ${finding}`));
    }
  });
  await addIfWide(page, who, path, wide);
  if (screenshots !== null) await keepScreenshots(page, `${who}${path}`, screenshots);
}

/** Adds the page to `wide` when it scrolls sideways on a narrow phone. */
export async function addIfWide(page: Page, who: string, path: string, wide: string[]): Promise<void> {
  if (page.viewportSize()?.width !== phone.width) await page.setViewportSize(phone);
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  if (width > phone.width) wide.push(`${who} ${path}: ${width} px`);
}

async function keepScreenshots(page: Page, name: string, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  for (const viewport of [desktop, { width: 390, height: 844 }])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const file = `${name.replaceAll(/[^\w-]+/g, "_").slice(0, 80)}-${viewport.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(directory, file), fullPage: true });
    }
}
