import type { MetricKey, ReportComparison } from "../../core/report/compare.ts";
import type { BenchmarkMode, ReportDetail, Visibility } from "../../core/report/report.ts";
import { disturbedReason, othersDisturbFrom, type RunConditions } from "../../core/report/conditions.ts";
import type { UsualScores } from "../../core/report/usual-scores.ts";
import { capitalised } from "./capitalised.ts";
import { plainFigure } from "./plain-figure.ts";

/** A code as words; abbreviations keep their capital letters. */
export const spelled = (code: string): string => {
  const words = code
    .replaceAll("_", " ")
    .replaceAll(/\b(?:cpu|gc|jvm|mspt|ram|tps)\b/g, (each) => each.toUpperCase());
  return capitalised(words);
};

export const scoreWords: Readonly<Record<MetricKey, string>> = {
  total: "Total",
  single_core: "Single core",
  gameplay: "Gameplay",
  hardware: "Hardware",
  memory: "Memory",
  disk: "Disk",
  multi_core: "Multi core",
  exploration: "Exploration",
  entities: "Entities",
  mechanics: "Mechanics",
};

/** Without the block of a setting; the unit follows a comma. */
export const contextWords = (field: string): string =>
  spelled(field.replace(/^config\./, "")).replace(/ (?:gb|mb)$/, (unit) => `,${unit.toUpperCase()}`);

export const modeWords: Readonly<Record<BenchmarkMode, string>> = {
  standard: "The same load for every server.",
  stresslimit: "The load grows until the server is slow.",
  custom: "Chosen tests, without scores.",
};

export const factorWords: Readonly<Record<keyof ReportDetail["multipliers"], string>> = {
  synergy_bonus: "Balance",
  duration: "Duration",
  gc: "Garbage collection",
  stability_bonus: "Stability",
};

export const visibilityWords: Readonly<Record<Visibility, string>> = {
  public: "Public: it is listed, and anybody may open it",
  unlisted: "Unlisted: anybody who has the address may open it",
  private: "Private: only you may open it",
};

/** Why two reports are not comparable. */
export const blockerWords: Readonly<Record<NonNullable<ReportComparison["blocked_by"]>, string>> = {
  measured_by:
    "One run was measured by CPU time while the machine was in use, the other by wall time on a machine at rest.",
  benchmark_mode: "The modes of the reports differ, so their scores are on different scales.",
  algorithm_version:
    "The reports were scored by different versions, so their scores are on different scales.",
};

const share = (percent: number | null, words: string): string[] =>
  percent !== null && percent > othersDisturbFrom
    ? [`other programs ${words.replace("%", `${plainFigure(percent)} %`)}`]
    : [];

/** Sentences on what makes a run's figures less than those of a machine at rest; empty for a usual run. */
export function conditionWords({ measured_by, busy_tests }: RunConditions): string[] {
  const byCpuTime =
    "Measured by CPU time while the machine was in use: the run has no scores, and is compared only with runs of its kind.";
  const busy = busy_tests.map((test) => {
    const { test_id, other_cpu_percent, other_disk_percent, processor_slowed_percent: slowed } = test;
    const what = [
      ...share(other_cpu_percent, "used % of a core"),
      ...share(other_disk_percent, "did % of the disk's work"),
      ...(slowed === null
        ? []
        : [`the host made one core alone ${plainFigure(slowed)} % slower than each of all at once`]),
    ];
    return `${spelled(test_id)}${what.length === 0 ? "" : ` (${what.join(", ")})`}`;
  });
  return [
    ...(measured_by === "cpu_time" ? [byCpuTime] : []),
    ...(busy.length > 0
      ? [`The machine was busy, so the run has no scores. Not judged: ${busy.join("; ")}.`]
      : []),
  ];
}

/** A sentence on scores that differ from those of the server's earlier runs; null where none does. */
export function unusualWords(usual: UsualScores | null): string | null {
  if (usual === null || usual.unusual.length === 0) return null;
  const each = usual.unusual.map(
    ({ score, usual: before, difference_percent: by }) =>
      `${scoreWords[score]} ${plainFigure(Math.abs(by))} % ${by < 0 ? "below" : "above"} ${plainFigure(before)}`,
  );
  return `Unusual for this server: ${each.join(", ")} (median of ${usual.reports} earlier runs on the same machine and software). The speed of its host may have changed: run the benchmark again before you judge.`;
}

/** The reason of a test that has no figures that count, within a sentence. */
export const testReasonWords = (code: string): string =>
  code === disturbedReason ? "the machine was busy" : code.replaceAll("_", " ");

/** By code. */
export const comparisonCaveatWords: Readonly<Record<string, string>> = {
  game_version_differs: "The game's versions differ.",
  server_type_differs: "The two runs used different server software.",
  server_build_differs: "The builds of the server differ.",
  plugin_version_differs: "Different versions of the plugin measured the runs.",
  java_version_differs: "The Java versions differ.",
  os_differs: "The operating systems differ.",
  cpu_differs: "The processors differ.",
  cpu_cores_differ: "The hosts have different numbers of cores.",
  available_processors_differ: "The servers may use different numbers of processors.",
  ram_differs: "The hosts have different amounts of memory (GB).",
  memory_limit_differs: "The memory limits differ (GB).",
  disk_type_differs: "The kinds of disk differ.",
  hosting_tier_differs: "The hosting tiers differ.",
  plugin_count_differs: "Different numbers of plugins were installed.",
  mod_count_differs: "Different numbers of mods were installed.",
  dispersed_zones_differ: "The load was spread over different numbers of zones.",
  mod_loader_differs: "The mod loaders differ.",
  measured_long_apart: "More than 90 days lie between the two runs.",
  machine_busy: "Other work disturbed some tests, whose figures are not the machine's own.",
  tests_unsteady: "Some tests were unsteady: their speed varied by more than 8 %, so a gap may be chance.",
};
