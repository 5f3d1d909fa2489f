import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../agent/one-line.ts";
import { bench, type BenchOptions } from "../bench/bench.ts";
import type { BenchReport } from "../bench/report.ts";
import type { FinishedTest, TestProgress } from "../bench/run-tests.ts";
import type { PluginClient } from "../outbound/plugin-client.ts";
import { clientOf, linkIn, stateOf } from "./agent-state.ts";
import { benchVersion, chosenFrom, filesFrom, type BenchCommandOptions } from "./bench-options.ts";
import { wordsOfEnd } from "./bench-figures.ts";
import { confirmStart, looksBefore, personAtTerminal, serverBeside } from "./bench-start.ts";
import { wordsOfReport, wordsOfConditions } from "./bench-words.ts";
import { makeFile } from "./new-file.ts";
import { CommandError, exitStatus, printError, printLine, printResult } from "./output.ts";
import { progressOn, type TransferProgress } from "./progress.ts";

const signalStatus = { SIGINT: 130, SIGTERM: 143 } as const;

export async function benchCommand(options: BenchCommandOptions): Promise<void> {
  const chosen = chosenFrom(options);
  const files = filesFrom(options);
  // A missing link is reported before minutes of measuring.
  const client = options.upload ? clientOf(await linkIn(stateOf(options))) : null;
  const signal = endedBySignal();
  const progress = progressOn();
  if (!options.whileServing) {
    const server = serverBeside((await stateOf(options).link())?.server ?? null, options.server);
    await confirmStart(await looksBefore({ server, signal }), personAtTerminal(options.yes, signal));
  }
  try {
    for (const file of files) {
      const run = {
        ...chosen,
        ...shownOn(progress),
        signal,
        leavesMemory: false,
        version: benchVersion,
        jobNonce: null,
      };
      const { report, busiest } = await bench(run);
      progress.end();
      if (report.tests.some(({ outcome }) => outcome === "failure")) process.exitCode = exitStatus.failed;
      const line = JSON.stringify(report);
      if (file !== null) await makeFile(file, async (draft) => writeFileSync(draft, `${line}\n`));
      // What ran beside it is for the person here, and stays out of the report.
      if (options.json) for (const words of wordsOfConditions(report, busiest)) printError(words);
      if (options.json) printLine(line);
      else for (const words of wordsOfReport(report, busiest)) printLine(words);
      if (client !== null) await upload(client, report, options);
    }
  } finally {
    progress.end();
  }
}

/** The abort reason is an error with the signal's exit status. */
function endedBySignal(): AbortSignal {
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () =>
      ending.abort(new CommandError("The benchmark was ended. It made no report.", signalStatus[name])),
    );
  return ending.signal;
}

/** On a terminal, one line that changes; elsewhere, one line per test. */
function shownOn(progress: TransferProgress): Pick<BenchOptions, "onProgress" | "onFinished" | "log"> {
  return {
    onProgress: (now: TestProgress) => progress.tell(wordsOfProgress(now)),
    onFinished: (test: FinishedTest) => {
      progress.end();
      printError(wordsOfEnd(test));
    },
    log: (line) => {
      progress.end();
      printError(line);
    },
  };
}

function wordsOfProgress({ test, done, secondsLeft }: TestProgress): string {
  const minutes = Math.floor(secondsLeft / 60);
  const seconds = Math.round(secondsLeft % 60);
  return `${test.name}: ${Math.round(done * 100)} %, ${minutes} min ${seconds} s left`;
}

/** If the service does not take the report, it is kept in the state folder. */
async function upload(
  client: PluginClient,
  report: BenchReport,
  options: BenchCommandOptions,
): Promise<void> {
  try {
    const uploaded = await client.uploadReport(report);
    printResult(options.json, uploaded, [`The report is on the service: ${uploaded.url}`]);
  } catch (error) {
    const kept = join(stateOf(options).folder, `${report.local_id}.json`);
    await makeFile(kept, async (draft) => writeFileSync(draft, `${JSON.stringify(report)}\n`));
    throw new CommandError(`The report was not taken (${oneLine(error)}). It is kept in ${kept}.`);
  }
}
