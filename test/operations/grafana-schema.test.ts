import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { monitoringFolder } from "../support/prometheus.ts";

const dashboardFile = join(monitoringFolder, "grafana-dashboard.json");

const strict: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
};

/** A file of JSON as a value of the types that Grafana generates from the schema of its dashboards. */
const typed = ({ panels, ...dashboard }: Record<string, unknown>): string => `
import type { Dashboard, Panel, RowPanel } from "@grafana/schema";
// JSON has the values of enumerations, not their names.
type Plain<T> = T extends string ? \`\${T}\`
  : T extends number | boolean | null | undefined ? T
  : T extends (infer E)[] ? Plain<E>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
export const dashboard: Plain<Omit<Dashboard, "panels">> = ${JSON.stringify(dashboard)};
export const panels: (Plain<Panel> | Plain<RowPanel>)[] = ${JSON.stringify(panels)};
`;

/** The files of the compiler's libraries and of the schema, which every check reads. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** What the schema finds wrong in a dashboard. */
function problemsOf(json: Record<string, unknown>): string[] {
  // Beside the packages, where the compiler looks for Grafana's types; nothing is written there.
  const path = resolve("grafana-dashboard-check.ts");
  const host = ts.createCompilerHost(strict);
  const { fileExists, readFile, getSourceFile } = host;
  const text = typed(json);
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? text : readFile(name));
  host.getSourceFile = (name, ...rest) => {
    if (name === path) return ts.createSourceFile(name, text, strict.target ?? 0);
    if (!sources.has(name)) sources.set(name, getSourceFile(name, ...rest));
    return sources.get(name);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], strict, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

it("[OUR-OPS-05] the dashboard is valid for the schema that Grafana publishes", () => {
  const dashboard = JSON.parse(readFileSync(dashboardFile, "utf8")) as Record<string, unknown>;
  expect(problemsOf(dashboard)).toEqual([]);
  // The schema does look: a wrong value and an unknown member are found.
  expect(problemsOf({ ...dashboard, graphTooltip: 7 })).toHaveLength(1);
  expect(problemsOf({ ...dashboard, titel: "Tickmark" })).toHaveLength(1);
});
