import { bench } from "../bench/bench.ts";
import { findServer } from "../agent/install/find-server.ts";
import { oneLine } from "../agent/one-line.ts";
import { pingSource } from "../agent/sources/ping.ts";
import type { Link } from "../agent/state/state.ts";
import { serverBusy } from "../core/auto-bench/transitions.ts";
import type { RunCommand } from "../outbound/runner.ts";
import { clientOf, stateOf } from "./agent-state.ts";
import { benchVersion, gameOf, type GameChoice } from "./bench-options.ts";
import { printError } from "./output.ts";

export interface JobBenchOptions extends GameChoice {
  /** The state folder of the agent; undefined for the user's default one. */
  readonly state?: string;
}

/**
 * A job of a server that is not linked fails: there is no credential. Skips jobs while players are online.
 */
export function benchForJob(options: JobBenchOptions): RunCommand {
  const game = gameOf(options);
  return async (job, _run, signal) => {
    const link = await stateOf(options).link();
    if (link?.server_id !== job.target.server_id) return { errorCode: "not_this_server" };
    if ((await playersOnline(link, signal)) > 0) return { errorCode: serverBusy, isSkipped: true };
    const mode = job.target.benchmark_mode;
    if (mode === "stresslimit" && game === null) return { errorCode: "server_jar_needed" };
    const report = await bench({
      mode,
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
    await clientOf(link).uploadReport(report);
    return null;
  };
}

/** 0 if the server does not run, or hides the number. */
async function playersOnline({ server }: Link, signal: AbortSignal): Promise<number> {
  try {
    const ping = pingSource(await findServer(server));
    const { measured } = await ping.read(Date.now(), signal);
    return measured?.player_count ?? 0;
  } catch (error) {
    printError(`The server does not answer a ping, so no player is online (${oneLine(error)}).`);
    return 0;
  }
}
