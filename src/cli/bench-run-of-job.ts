import { bench } from "../bench/bench.ts";
import type { BenchReport } from "../bench/report.ts";
import type { SkippedBecause } from "../core/auto-bench/transitions.ts";
import { disturbedReason } from "../core/report/conditions.ts";
import type { RunCommand, RunFailure } from "../outbound/runner.ts";
import { clientOf, stateOf } from "./agent-state.ts";
import { benchVersion, gameOf, type GameChoice } from "./bench-options.ts";
import { wordsOfConditions } from "./bench-words.ts";
import { printError } from "./output.ts";
import { playersOnline } from "./players-online.ts";

export interface JobBenchOptions extends GameChoice {
  /** The state folder of the agent; undefined for the user's default one. */
  readonly state?: string;
}

const skipped = (errorCode: SkippedBecause): RunFailure => ({ errorCode, isSkipped: true });

/** Null for a run that no other program disturbed. */
export const skippedAsBusy = ({ tests }: Pick<BenchReport, "tests">): RunFailure | null =>
  tests.some(({ reason_code }) => reason_code === disturbedReason) ? skipped(disturbedReason) : null;

/**
 * A job of a server that is not linked fails: there is no credential. Skips jobs while players are online, and
 * where other programs disturbed the run: it has no scores to follow.
 */
export function benchForJob(options: JobBenchOptions): RunCommand {
  const game = gameOf(options);
  return async (job, _run, signal) => {
    const link = await stateOf(options).link();
    if (link?.server_id !== job.target.server_id) return { errorCode: "not_this_server" };
    if (((await playersOnline(link.server, signal, printError)) ?? 0) > 0) return skipped("server_busy");
    const mode = job.target.benchmark_mode;
    if (mode === "stresslimit" && game === null) return { errorCode: "server_jar_needed" };
    const { report, busiest } = await bench({
      mode,
      measuredBy: "wall_time",
      tests: null,
      length: 1,
      directory: link.server.directory,
      game,
      leavesMemory: true,
      version: benchVersion,
      jobNonce: job.nonce,
      signal,
      onProgress: () => {},
      onFinished: ({ test_id, outcome, reason_code }) =>
        printError(`${test_id} ${outcome}${reason_code ? ` (${reason_code})` : ""}`),
      log: printError,
    });
    const failure = skippedAsBusy(report);
    if (failure !== null) {
      for (const line of wordsOfConditions(report, busiest)) printError(line);
      return failure;
    }
    await clientOf(link).uploadReport(report);
    return null;
  };
}
