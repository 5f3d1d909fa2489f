import type { BeforeAfterVerdict } from "../../core/report/before-after/verdict.ts";

type Code<Part extends "refusals" | "caveats"> = BeforeAfterVerdict[Part][number]["code"];

export const verdictWords: Readonly<Record<BeforeAfterVerdict["verdict"], string>> = {
  improved: "Improved",
  degraded: "Degraded",
  no_material_change: "No material change",
  inconclusive: "Inconclusive",
};

/** Why a verdict is inconclusive. */
export const refusalWords: Readonly<Record<Code<"refusals">, string>> = {
  too_few_runs: "A side has fewer than three runs. Run the benchmark again.",
  unscored_mode: "A custom run has no scores.",
  mixed_benchmark_mode: "Standard and stress limit runs are on different scales.",
  mixed_algorithm_version: "Scores of different versions are on different scales.",
  different_servers: "The runs are of different servers.",
  different_hardware: "The processor or the memory differs.",
  undeclared_change:
    "Something else changed. If you changed it on purpose, declare it. If not, undo it and run the benchmark again.",
  target_not_measured:
    "A run lacks the score, or its upload can no longer be read. Runs that measured only the host have no total: judge their hardware score.",
  unreliable_run: "A test behind the score failed, or part of it never ran.",
  order_inconsistent: "A run after the change did not end later than a run before it.",
  mixed_within_side: "The runs of one side differ among themselves.",
  runs_too_spread: "The runs of one side lie too far apart.",
  shift_within_tie_band: "The sides are apart, but by less than the tie band.",
  gap_too_small: "The sides are apart, but their nearest runs are too close to each other.",
  runs_overlap: "The runs of the two sides overlap.",
};

export const verdictCaveatWords: Readonly<Record<Code<"caveats">, string>> = {
  single_change_assumed: "The verdict assumes that the target was the only thing that changed.",
  small_sample:
    "Each side has few runs: with three, p cannot be below 0.10; with four, it cannot be below 0.029.",
  declared_changes_not_separable: "The declared changes may have caused the effect as well as the target.",
  build_differs: "The server's build changed.",
  long_gap: "Much time lies between the sides.",
  side_spans_days: "The runs of one side were made over several days.",
  back_to_back_runs: "Runs followed one another closely; caches were warm.",
  server_unknown: "You cannot see whether the runs are of one server.",
  other_metric_degraded: "Another score fell by the same rule.",
  other_metric_improved: "Another score rose by the same rule.",
  unchanged_needs_more_runs: "With more runs on each side, smaller changes can be found.",
};
