import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { loadAxe } from "./browser.ts";

/** Where screenshots go, for people to look at; none are kept unless this is set. */
const screenshots = process.env["TICKMARK_TEST_SCREENSHOTS"] ?? null;

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/** Looks that are not checked by axe are there for screenshots. */
const looks = [
  { name: "1280-light", viewport: desktop, colorScheme: "light", isChecked: true },
  { name: "390-dark", viewport: phone, colorScheme: "dark", isChecked: true },
  { name: "1280-dark", viewport: desktop, colorScheme: "dark", isChecked: false },
  { name: "390-light", viewport: phone, colorScheme: "light", isChecked: false },
] as const;

/** A narrow phone: nothing but tables and code may be wider. */
const narrow = { width: 360, height: 740 };

/** What is wrong with how pages look: what axe calls serious or critical, and what scrolls sideways. */
export interface Looks {
  readonly serious: string[];
  readonly wide: string[];
}

/** Inspects a page in every look, and adds the findings. */
export async function inspect(
  page: Page,
  who: string,
  path: string,
  { serious, wide }: Looks,
): Promise<void> {
  const axe = await loadAxe(page);
  for (const { name, viewport, colorScheme, isChecked } of looks) {
    if (!isChecked && screenshots === null) continue;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (isChecked) for (const found of await axe()) serious.push(`${who} ${path} ${name}: ${found}`);
    if (screenshots !== null) {
      mkdirSync(screenshots, { recursive: true });
      const file = `${who}${path.replaceAll(/[^\w-]+/g, "_").slice(0, 80)}-${name}.png`;
      await page.screenshot({ path: join(screenshots, file), fullPage: true });
    }
  }
  await addIfWide(page, who, path, wide);
}

/** Adds the page to `wide` when it scrolls sideways on a narrow phone. */
export async function addIfWide(page: Page, who: string, path: string, wide: string[]): Promise<void> {
  await page.setViewportSize(narrow);
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  if (width > narrow.width) wide.push(`${who} ${path}: ${width} px`);
}
