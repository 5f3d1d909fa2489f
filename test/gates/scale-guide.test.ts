import { expect, it } from "vitest";
import { readConfig } from "../../src/app/config/config.ts";
import { defaultPlans } from "../../src/core/access/plan.ts";
import { read } from "./sources.ts";

const guide = read("resources/guides/scale.md");
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.+?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
const words = guide.replaceAll(/\s+/g, " ");

it("the settings of the guide are a configuration that the service takes", () => {
  const lines = blocks("sh").flatMap((block) => block.trim().split("\n"));
  const settings = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(Object.keys(settings).length).toBeGreaterThan(5);
  expect(readConfig(settings).databaseReadUrl).toBe(settings["TICKMARK_DATABASE_READ_URL"]);
});

it("a measured figure of the guide stands where it was measured", () => {
  const sources = [
    "resources/guides/proxy.md",
    "src/store/engine/MACHINERY.md",
    "src/store/metric/series-points.ts",
  ]
    .map(read)
    .join(" ")
    .replaceAll(/\s+/g, " ");
  const section = /^## What was measured$(.+?)^## /ms.exec(guide)?.[1] ?? "";
  const figures = [...section.matchAll(/\d[\d,]*(?: %| ms| µs)/g)].map(([figure]) => figure);
  expect(figures.length).toBeGreaterThanOrEqual(10);
  expect(
    figures.filter((figure) => !sources.includes(figure) && !sources.includes(figure.replace(" µs", ""))),
  ).toEqual([]);
  expect(sources).toContain("20 to 70 KB");
});

it("what the guide computes follows from what was measured", () => {
  const servers = 1_000_000;
  const perSecond = servers / 30;
  const said = (value: number): string => Math.round(value).toLocaleString("en-US");
  expect(words).toContain(`1,000,000 ÷ 30 s = ${said(perSecond)} a second`);
  const cores = [940, 1231].map((micros) => said((perSecond * micros) / 1e6));
  expect(words).toContain(`33,333 × 940 to 1,231 µs = ${cores.join(" to ")} cores`);
  const [service, postgres] = [0.9 * 100, 0.45 * 100];
  expect(words).toContain(`= ${said(service)} cores of processes and ${said(postgres)} of PostgreSQL`);
  expect(words).toContain(
    `90 ÷ 0.6 = ${said(service / 0.6)} processes, and 45 ÷ 0.6 = ${said(postgres / 0.6)} cores`,
  );
  const samples = 86_400 / 30;
  expect(words).toContain(`${said(samples)} a server and day, ${said(samples * servers)} a day for all`);
  const bytes = [20_000, 70_000].map((day) => said(day / samples));
  expect(words).toContain(`are ${bytes.join(" to ")} bytes a sample (÷ 2,880), and 20 to 70 GB a day`);
  const days = defaultPlans.hosting.retention_days;
  const terabytes = [20, 70].map((gigabytes) => ((gigabytes * days) / 1000).toFixed(1));
  expect(words).toContain(
    `${days} days, as the plan \`hosting\` shows them, are ${terabytes.join(" to ")} TB`,
  );
  expect(words).toContain(
    `older than the longest plan shows (${defaultPlans.enterprise.retention_days} days)`,
  );
  expect(words).toContain(`150 × 11 = ${said(150 * 11)} to one PostgreSQL`);
});
