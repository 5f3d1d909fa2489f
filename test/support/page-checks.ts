import type { Page } from "playwright-core";

/** What a page of a kind weighs at most: compressed, with its styles and scripts, on the first visit; bytes. */
export const heaviest = (kind: string): number => (draws.test(kind) ? 90_000 : 15_000);

/** Pages whose scripts draw: charts of a server, the threshold of a rule, a flame graph. */
const draws = /\/charts$|\/profiles\/\{profile\}$|\/periods$|\/rules(\/preview)?$/;

/** Stands for the head of an answer, bytes. */
export const headBytes = 300;

/** The bytes of a page and of what it loads, as a browser counts them. */
const weight = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ name, initiatorType }) => initiatorType !== "fetch" && !name.includes("?data="))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize + ${headBytes}, 0)`;

/** Adds the page to `heavy` when it weighs more than its kind may. */
export async function addIfHeavy(page: Page, kind: string, path: string, heavy: string[]): Promise<void> {
  const bytes = Number(await page.evaluate(weight));
  if (bytes > heaviest(kind)) heavy.push(`${path}: ${bytes} bytes`);
}

/** The page when it scrolls sideways, and texts beyond the edge of an element; one that ends in dots is whole elsewhere. */
const cutOff = `(() => {
  const root = document.documentElement;
  const found = [];
  if (root.scrollWidth > root.clientWidth) found.push("scrolls to " + root.scrollWidth + " px");
  for (const element of document.body.querySelectorAll("*")) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth < 2) continue;
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    if (display === "inline" || !/hidden|clip/.test(overflowX) || textOverflow === "ellipsis") continue;
    // The text of a field moves under the caret, and a drawing follows a moment later.
    if (element.matches("input, .plot, .flame-graph, svg, svg *")) continue;
    found.push("cuts off " + element.tagName + "." + element.getAttribute("class"));
  }
  return found;
})()`;

/** Rules that let something move, elements that do so by themselves, and what moves at this moment. */
const motion = `(() => {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const moving = rules.map(({ cssText }) => /(?:^|[\\s;{])((?:transition|animation|scroll-behavior)[\\w-]*: [^;]*)/.exec(cssText)?.[1]);
  const plays = [...document.querySelectorAll("video, audio, marquee, animate, animateMotion, animateTransform, set")];
  return [
    ...moving.filter((rule) => rule !== undefined),
    ...plays.map(({ tagName }) => tagName),
    ...document.getAnimations().map(() => "something moves"),
  ];
})()`;

/** A window of 1,280 x 900 px at a zoom of 200 %. */
const zoomed = { width: 640, height: 450 };
const wide = { width: 1280, height: 900 };

/** Adds what a zoom of 200 % and letters of twice the size cut off, and what moves for a person who wants calm. */
export async function addIfCutOrMoving(page: Page, path: string, cut: string[]): Promise<void> {
  await page.setViewportSize(wide);
  const add = async (how: string, script: string): Promise<void> => {
    const found = await page.evaluate<string[]>(script);
    cut.push(...found.map((each) => `${path}, ${how}: ${each}`));
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  await add("calm", motion);
  await page.evaluate(`document.documentElement.style.fontSize = "30px"`);
  await add("large letters", cutOff);
  await page.evaluate(`document.documentElement.style.fontSize = ""`);
  await page.setViewportSize(zoomed);
  await add("zoomed", cutOff);
  await page.emulateMedia({ reducedMotion: null });
}
