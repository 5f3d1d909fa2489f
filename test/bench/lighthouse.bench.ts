import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Demo, removeDirectories, type Line } from "../demo/child.ts";
import { chromiumPath, launchBrowser } from "../support/browser.ts";

/** Lighthouse is not a dependency: `npm install --prefix FOLDER lighthouse@12.8.2`, and this variable names FOLDER. */
const folder = process.env["TICKMARK_TEST_LIGHTHOUSE"] ?? "";
const command = join(folder, "node_modules/lighthouse/cli/index.js");
const reason =
  chromiumPath === null
    ? "there is no Chromium"
    : folder === "" || !existsSync(command)
      ? "TICKMARK_TEST_LIGHTHOUSE names no folder with lighthouse in it"
      : null;
if (reason !== null) console.log(`The pages are not measured with Lighthouse: ${reason}.`);

/** The least score of every page in every category, of 100. */
const aim = 95;
const categories = ["performance", "accessibility", "best-practices"];

const Result = z.object({
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), displayValue: z.string().optional() }),
  ),
});

let demo: Demo;
let line: Line;
let cookie: string;
/** The pages that are measured, by their names. */
let pages: Record<string, string>;
let output: string;

/** Signs in as a person does; the cookie, and the first address of each kind that the pages link to. */
async function prepare(): Promise<void> {
  const browser = await launchBrowser();
  const context = await browser.newContext();
  const page = await context.newPage();
  const { email, password } = line.accounts.enterprise;
  await page.goto(`${line.base_url}/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${line.base_url}/servers`);
  cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const first = async (path: string, link: RegExp): Promise<string> => {
    await page.goto(line.base_url + path);
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll("a[href]")].map((a) => new URL(a.getAttribute("href"), location.href).pathname)`,
    );
    const found = links.find((each) => link.test(each));
    if (found === undefined) throw new Error(`${path} has no link like ${String(link)}.`);
    return found;
  };
  const server = await first("/servers", /^\/servers\/[\w-]{36}$/);
  pages = {
    fleet: "/servers",
    server,
    charts: `${server}/charts`,
    report: await first("/reports", /^\/reports\/(?!compare|before)[\w-]{8,}$/),
    profile: await first(`${server}/profiles`, /\/profiles\/[\w-]{36}$/),
    status: await first("/status-pages", /^\/status\//),
  };
  await browser.close();
}

/** The scores of one page in percent, with what cost it points. */
async function scoresOf(name: string, preset: string): Promise<{ scores: number[]; costs: string[] }> {
  const file = join(output, `${name}-${preset}.json`);
  const options = [
    `--only-categories=${categories.join(",")}`,
    ...(preset === "desktop" ? ["--preset=desktop"] : []),
    "--output=json",
    `--output-path=${file}`,
    `--chrome-flags=--headless --no-sandbox --disable-gpu`,
    "--quiet",
    ...(name === "status" ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  await promisify(execFile)(process.execPath, [command, `${line.base_url}${pages[name]}`, ...options], {
    env: { ...process.env, CHROME_PATH: chromiumPath ?? "" },
  });
  const result = Result.parse(JSON.parse(readFileSync(file, "utf8")));
  const costs = Object.values(result.categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (result.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id} ${result.audits[id]?.score} ${result.audits[id]?.displayValue ?? ""}`.trim());
  return {
    scores: categories.map((id) => Math.round((result.categories[id]?.score ?? 0) * 100)),
    costs,
  };
}

describe.runIf(reason === null)("Lighthouse on the demo", () => {
  beforeAll(async () => {
    output = process.env["TICKMARK_TEST_LIGHTHOUSE_OUTPUT"] ?? mkdtempSync(join(tmpdir(), "lighthouse-"));
    demo = new Demo(["--json", "--port", "0", "--still"]);
    line = await demo.line();
    await prepare();
  }, 120_000);
  afterAll(async () => {
    await demo.end();
    removeDirectories();
    if (process.env["TICKMARK_TEST_LIGHTHOUSE_OUTPUT"] === undefined) rmSync(output, { recursive: true });
  });

  it.each(["mobile", "desktop"])(
    "every measured page has at least 95 of 100 in each category, %s",
    async (preset) => {
      const below: string[] = [];
      for (const name of Object.keys(pages)) {
        const { scores, costs } = await scoresOf(name, preset);
        console.log(
          `${preset} ${name}: ${categories.map((id, at) => `${id} ${scores[at]}`).join(", ")}; ${costs.join("; ")}`,
        );
        if (scores.some((score) => score < aim)) below.push(name);
      }
      expect(below).toEqual([]);
    },
    600_000,
  );
});
