import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { filesBelow, read } from "./sources.ts";

interface Cruise {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { violations: unknown[] };
}

const cruise = (): Cruise => {
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", "src", "tools", "resources"];
  const output = execFileSync("node_modules/.bin/depcruise", args, {
    maxBuffer: 64 * 1024 * 1024,
    encoding: "utf8",
  });
  return JSON.parse(output) as Cruise;
};

it("[OUR-ARC-01] every module was looked at, and none imports across a boundary", () => {
  const { modules, summary } = cruise();
  const sources = filesBelow(["src", "tools", "resources"], ".ts");
  const seen = new Set(modules.map(({ source }) => source));
  expect(sources.filter((file) => !seen.has(file))).toEqual([]);
  expect(summary.violations).toEqual([]);
  const dependencies = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
  expect(dependencies).toBeGreaterThan(sources.length);
  console.log(`boundaries: ${sources.length} modules, ${dependencies} dependencies, 0 violations`);
});

it("[OUR-ARC-02] only the configuration of the service and of the stdio connector reads the environment", () => {
  const readers = filesBelow(["src", "tools", "resources"], ".ts").filter((file) =>
    /\bprocess\.env\b/.test(read(file)),
  );
  expect(readers.toSorted()).toEqual(["src/app/config/config.ts", "src/app/config/connector-config.ts"]);
});
