import { z } from "zod";
import { contextDiffers, contextFields, type ContextValue, type RunContext } from "../../report/context.ts";
import { BenchmarkMode } from "../../report/report.ts";
import { thirdPartyText } from "../../text/third-party-text.ts";
import type { ScheduledRun } from "./run.ts";

const text = (max: number) => thirdPartyText(max).nullable();
const count = z.int().nullable();

/** Conditions that comparable runs share; `plugin_version` is major and minor, `*_gb` are GiB. */
export const ComparableGroup = z.object({
  benchmark_mode: BenchmarkMode,
  algorithm_version: z.string().nullable(),
  plugin_version: text(64),
  server_type: text(64),
  game_version: text(64),
  cpu_name: text(120),
  cpu_cores: count,
  cpu_threads: count,
  available_processors: count,
  ram_gb: z.number().nullable(),
  memory_limit_gb: z.number().nullable(),
  disk_type: text(32),
  dispersed_zones: count,
});
type ComparableGroup = z.infer<typeof ComparableGroup>;

const textOrNull = (value: ContextValue): string | null => (typeof value === "string" ? value : null);
const numberOrNull = (value: ContextValue): number | null => (typeof value === "number" ? value : null);

/** `1.10` of `1.10.2`: patches measure alike. A version that cannot be read stays whole. */
const minorVersion = (version: string | null): string | null =>
  version && (/^v?\d+\.\d+/.exec(version)?.[0] ?? version);

export const groupOf = ({ mode, algorithmVersion, context }: ScheduledRun): ComparableGroup => ({
  benchmark_mode: mode,
  algorithm_version: algorithmVersion,
  plugin_version: minorVersion(textOrNull(context.plugin_version)),
  server_type: textOrNull(context.server_type),
  game_version: textOrNull(context.game_version),
  cpu_name: textOrNull(context.cpu_name),
  cpu_cores: numberOrNull(context.cpu_cores),
  cpu_threads: numberOrNull(context.cpu_threads),
  available_processors: numberOrNull(context.available_processors),
  ram_gb: numberOrNull(context.ram_gb),
  memory_limit_gb: numberOrNull(context.memory_limit_gb),
  disk_type: textOrNull(context.disk_type),
  dispersed_zones: numberOrNull(context.dispersed_zones),
});

const memory = ["ram_gb", "memory_limit_gb"] as const;
const exact = Object.keys(ComparableGroup.shape).filter(
  (field): field is Exclude<keyof ComparableGroup, (typeof memory)[number]> =>
    !(memory as readonly string[]).includes(field),
);

/** All values must be equal, unknown only to unknown; memory may differ by 2 % of the larger value. */
export const sameGroup = (one: ComparableGroup, other: ComparableGroup): boolean =>
  exact.every((field) => one[field] === other[field]) &&
  memory.every(
    (field) =>
      (one[field] === null) === (other[field] === null) && !contextDiffers(field, one[field], other[field]),
  );

export const ExclusionReason = z.enum([
  "not_standard",
  "missing_total",
  "unreliable",
  "other_group",
  "failed_run",
]);
type ExclusionReason = z.infer<typeof ExclusionReason>;

/** The score that is judged; `hardware` if no comparable run has a total. */
export const JudgedMetric = z.enum(["total", "hardware"]);
export type JudgedMetric = z.infer<typeof JudgedMetric>;

const hasScore = ({ scores }: ScheduledRun, metric: JudgedMetric): boolean => (scores[metric] ?? 0) > 0;

/** Null for a run that counts, in any group. A failed test comes before the missing score that it causes. */
function unfitness(run: ScheduledRun, metric: JudgedMetric): ExclusionReason | null {
  if (run.mode !== "standard") return "not_standard";
  if (run.hasFailedTest) return "failed_run";
  if (!hasScore(run, metric)) return "missing_total";
  return run.hasUnreliableTest ? "unreliable" : null;
}

const byTime = (one: ScheduledRun, other: ScheduledRun): number =>
  one.finishedAt - other.finishedAt || (one.reportId < other.reportId ? -1 : 1);

export interface SortedRuns {
  /** Runs that measured only the host are never judged together with full runs. */
  readonly metric: JudgedMetric;
  /** Runs that count, in any group, oldest first. */
  readonly fit: readonly ScheduledRun[];
  /** The fit runs in the group of the newest one, oldest first; `group` is null without any. */
  readonly comparable: readonly ScheduledRun[];
  readonly group: ComparableGroup | null;
  /** In the order of `ExclusionReason`; only reasons that occur. */
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[];
}

/** Oldest first. */
const fitRuns = (runs: readonly ScheduledRun[], metric: JudgedMetric): ScheduledRun[] =>
  runs.filter((run) => unfitness(run, metric) === null).toSorted(byTime);

const groupMembers = (fit: readonly ScheduledRun[], group: ComparableGroup | null): ScheduledRun[] =>
  group ? fit.filter((run) => sameGroup(groupOf(run), group)) : [];

/**
 * Takes runs in any order. The newest run that is fit decides the group. If no run of the group has a total,
 * the hardware score is judged; otherwise runs without a total are left out.
 */
export function sortRuns(runs: readonly ScheduledRun[]): SortedRuns {
  const measured = fitRuns(runs, "hardware");
  const newest = measured.at(-1);
  const group = newest ? groupOf(newest) : null;
  const isHostOnly =
    newest !== undefined && !groupMembers(measured, group).some((run) => hasScore(run, "total"));
  const metric = isHostOnly ? "hardware" : "total";
  const fit = fitRuns(runs, metric);
  const comparable = groupMembers(fit, group);
  const reasons = runs.map((run) => unfitness(run, metric)).filter((reason) => reason !== null);
  const counts = new Map<ExclusionReason, number>([["other_group", fit.length - comparable.length]]);
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const excluded = ExclusionReason.options.flatMap((reason) => {
    const count = counts.get(reason) ?? 0;
    return count > 0 ? [{ reason, count }] : [];
  });
  return { metric, fit, comparable, group, excluded };
}

const keyFields = new Set<string>(Object.keys(ComparableGroup.shape));
const watched: readonly (keyof RunContext)[] = [
  ...contextFields.filter((field) => !keyFields.has(field) || field === "plugin_version"),
  "server_build",
];

export interface ContextChange {
  readonly field: keyof RunContext;
  readonly before: ContextValue;
  readonly after: ContextValue;
  /** The first run with the new value. */
  readonly run: ScheduledRun;
}

/** Changes of known values that the group does not fix. `comparable` and the changes are oldest first. */
export function contextChanges(comparable: readonly ScheduledRun[]): ContextChange[] {
  const known = new Map<keyof RunContext, ContextValue>();
  const changes: ContextChange[] = [];
  for (const run of comparable) {
    for (const field of watched) {
      const after = run.context[field];
      if (after === null) continue;
      const before = known.get(field) ?? null;
      if (contextDiffers(field, before, after)) changes.push({ field, before, after, run });
      known.set(field, after);
    }
  }
  return changes;
}
