import type { Browser, Page } from "playwright-core";
import { loadAxe, type Axe } from "./browser.ts";
import { isLong } from "./long.ts";

/** A page that axe can read, and axe in it. */
export interface ReadPage {
  readonly page: Page;
  readonly axe: Axe;
}

/** Pages of each browser that hold copies of others, by the address of their service; those that nobody uses now. */
const readers = new WeakMap<Browser, Map<string, ReadPage[]>>();

/**
 * Puts a page in the place of what this one shows, and waits for its styles. Its scripts have run already; the styles
 * that they set are set again, because the policy of a page refuses them as attributes.
 */
const hold = (html: string): string => `(async () => {
  const copy = new DOMParser().parseFromString(${JSON.stringify(html)}, "text/html");
  for (const script of copy.querySelectorAll("script, noscript")) script.remove();
  document.replaceChild(document.adoptNode(copy.documentElement), document.documentElement);
  for (const styled of document.querySelectorAll("[style]")) styled.style.cssText = styled.getAttribute("style");
  const sheets = [...document.querySelectorAll("link[rel=stylesheet]")].filter(({ sheet }) => sheet === null);
  await Promise.all(sheets.map((link) => new Promise((end) => { link.onload = link.onerror = end; })));
})()`;

/** It is at the page's service, so that its styles are found and allowed. */
async function openReader(browser: Browser, origin: string): Promise<ReadPage> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${origin}/docs`);
  return { page, axe: await loadAxe(page) };
}

/**
 * Has axe read a copy of the page as it stands, with its styles, in a page where axe is loaded already: to load axe anew
 * and to run it for the first time takes most of what it costs. In a long run it reads the page itself.
 */
export async function readByAxe(page: Page, read: (copy: ReadPage) => Promise<void>): Promise<void> {
  const browser = page.context().browser();
  if (isLong || browser === null) return read({ page, axe: await loadAxe(page) });
  const { origin } = new URL(page.url());
  const ofBrowser = readers.get(browser) ?? new Map<string, ReadPage[]>();
  readers.set(browser, ofBrowser);
  const free = ofBrowser.get(origin) ?? [];
  ofBrowser.set(origin, free);
  const reader = free.pop() ?? (await openReader(browser, origin));
  await reader.page.evaluate(hold(await page.evaluate<string>("document.documentElement.outerHTML")));
  await read(reader);
  free.push(reader);
}
