import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { seriousFindings } from "./browser.ts";

/** Where screenshots go, for people to look at; none are kept unless this is set. */
const screenshots = process.env["TICKMARK_TEST_SCREENSHOTS"] ?? null;

const looks = [
  { name: "1280-light", viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { name: "390-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  { name: "1280-dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { name: "390-light", viewport: { width: 390, height: 844 }, colorScheme: "light" },
] as const;

/** A narrow phone: nothing but tables and code may be wider. */
const narrow = { width: 360, height: 740 };

/** What is wrong with how pages look: what axe calls serious or critical, and what scrolls sideways. */
export interface Looks {
  readonly serious: string[];
  readonly wide: string[];
}

/** Looks at a page in every way, and adds what is wrong with it. */
export async function inspect(
  page: Page,
  who: string,
  path: string,
  { serious, wide }: Looks,
): Promise<void> {
  for (const { name, viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (name !== "1280-dark" && name !== "390-light")
      for (const found of await seriousFindings(page)) serious.push(`${who} ${path} ${name}: ${found}`);
    if (screenshots !== null) {
      mkdirSync(screenshots, { recursive: true });
      const file = `${who}${path.replaceAll(/[^\w-]+/g, "_").slice(0, 80)}-${name}.png`;
      await page.screenshot({ path: join(screenshots, file), fullPage: true });
    }
  }
  await page.setViewportSize(narrow);
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  if (width > narrow.width) wide.push(`${who} ${path}: ${width} px`);
}
