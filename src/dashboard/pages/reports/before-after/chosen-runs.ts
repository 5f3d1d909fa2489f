import { leadScore } from "../../../../core/report/lead-score.ts";
import { judgeBeforeAfter } from "../../../../endpoints/api/report/judge-before-after.ts";
import { idIn, queryInput } from "../../../request-input.ts";
import { isNamedBy } from "../picker.tsx";
import type { ListedReport, ReportNames } from "../report-name.tsx";

/** The most runs of a side that the endpoint takes. */
const runsAtMost = 10;
/** On each side of a time line's link. More would show smaller changes, but fewer runs are usual. */
const runsOfLink = 5;
/** The newest runs for which the time line has room on a phone. */
const runsOnLine = 40;

export type RunSide = "before" | "after";

export interface JudgedRuns {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly target: string;
  readonly declared: readonly string[];
}

/** Comma-separated as in the API, or repeated fields as forms send them. */
const listIn = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(/[\s,]+/))
    .filter((value) => value !== "");

/** The form's field for a run; its value is a side, or empty. */
export const fieldOf = ({ short_id }: ListedReport): string => `run.${short_id}`;

/** Runs named in the address, chosen in the list, or typed; each once. */
const runsOf = (query: URLSearchParams, side: RunSide): string[] => {
  const listed = [...query].flatMap(([name, value]) =>
    name.startsWith("run.") && value === side ? [name.slice("run.".length)] : [],
  );
  return [...new Set([...listIn(query, side).map(idIn), ...listed])];
};

/** The usual score is the lead score of the newest run, such as hardware for a run without a game. */
const usualTarget = (newest: ListedReport | undefined): string =>
  newest === undefined ? "total" : leadScore(newest.scores).key;

export const readJudgedRuns = (query: URLSearchParams, newest: ListedReport | undefined): JudgedRuns => ({
  before: runsOf(query, "before"),
  after: runsOf(query, "after"),
  target: query.get("target") || usualTarget(newest),
  declared: listIn(query, "declared"),
});

/** Reads the query as the API does. */
export const judgedInputOf = ({ before, after, target, declared }: JudgedRuns) => {
  const query = new URLSearchParams({ before: before.join(","), after: after.join(","), target });
  if (declared.length > 0) query.set("declared", declared.join(","));
  return { before: [], after: [], target, ...queryInput(judgeBeforeAfter, query) };
};

export interface LineRun {
  readonly report: ListedReport;
  readonly at: number;
  readonly side: RunSide | null;
}

/** The newest runs, oldest first. */
export function runsOnTimeLine(
  reports: readonly ListedReport[],
  names: ReportNames,
  { before, after }: JudgedRuns,
): LineRun[] {
  const isIn = (ids: readonly string[], report: ListedReport) => ids.some((id) => isNamedBy(report, id));
  return reports
    .map((report): LineRun => ({
      report,
      at: Date.parse(names.get(report.id)?.measured_at ?? report.created_at ?? ""),
      side: isIn(before, report) ? "before" : isIn(after, report) ? "after" : null,
    }))
    .toSorted((one, other) => one.at - other.at)
    .slice(-runsOnLine);
}

/** Whether the scores of two runs are on one scale. */
const isOnScaleOf = (one: ListedReport, other: ListedReport): boolean =>
  one.benchmark_mode === other.benchmark_mode && one.algorithm_version === other.algorithm_version;

/** At most five runs of the same scale before `first`, and five from it on. Null if a side has none. */
export function sidesAround(
  runs: readonly LineRun[],
  first: LineRun,
): { readonly before: readonly string[]; readonly after: readonly string[] } | null {
  const alike = runs.filter(({ report }) => isOnScaleOf(report, first.report));
  const from = alike.indexOf(first);
  const idsOf = (of: readonly LineRun[]) => of.map(({ report }) => report.short_id);
  const before = idsOf(alike.slice(Math.max(0, from - runsOfLink), from));
  const after = idsOf(alike.slice(from, from + runsOfLink));
  return before.length === 0 ? null : { before, after };
}

export function queryWith({ before, after, target, declared }: JudgedRuns, server: string | null): string {
  const query = new URLSearchParams({ before: before.join(","), after: after.join(","), target });
  if (declared.length > 0) query.set("declared", declared.join(","));
  if (server !== null) query.set("server", server);
  return `?${query}`;
}

/** Whether the query is the form's own, which is not one to share. */
export const isFormQuery = (query: URLSearchParams): boolean =>
  [...query.keys()].some((name) => name.startsWith("run."));

/** Null if nothing is wrong before the API is called. */
export function choiceMistake({ before, after }: JudgedRuns): string | null {
  if (before.length === 0 && after.length === 0) return null;
  if (before.length === 0) return "Choose the runs before the change too.";
  if (after.length === 0) return "Choose the runs after the change too.";
  if (before.length > runsAtMost || after.length > runsAtMost)
    return `Choose at most ${runsAtMost} runs on each side.`;
  return null;
}
