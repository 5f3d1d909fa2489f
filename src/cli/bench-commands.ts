import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import type { BenchmarkMode } from "../core/report/report.ts";
import type { BenchCommandOptions } from "./bench-options.ts";

const load = {
  bench: () => import("./bench.ts"),
  compare: () => import("./bench-compare.ts"),
};

/** Listed here, because the stdio connector loads this file and must not load schemas. */
const modes: readonly BenchmarkMode[] = ["standard", "stresslimit", "custom"];

export function addBenchCommands(bench: Command): void {
  withGame(bench)
    .description(
      "Measure this machine and, with --server, a game server. Exit status: 0 done, 1 a test failed or the report was not taken, 2 used wrongly, 130 ended by Ctrl-C.",
    )
    .addOption(
      new Option("--mode <mode>", "standard has fixed loads; stresslimit raises the load of each game test")
        .choices(modes)
        .default("standard"),
    )
    .option("--tests <ids>", "only these tests, separated by commas; the report is custom and has no scores")
    .option("--dir <folder>", "the folder whose disk is measured; default: the current one")
    .option("--quick", "a third of the usual length; the report is custom and has no scores", false)
    .addOption(
      new Option("--runs <number>", "so many runs one after another, each with its report")
        .argParser(runsFrom)
        .default(1),
    )
    .option(
      "--while-serving",
      "measure only the processor, by CPU time and with the lowest priority, while a server is in use; the report is custom and is not compared with others",
      false,
    )
    .option("--yes", "begin without a question, also while the machine is busy or players are online", false)
    .option("--out <file>", "write the report into this new file; run 2 and later get -2, -3 … in the name")
    .option("--upload", "send the report to the service that tickmark agent link named", false)
    .option("--state <folder>", "the state folder of the agent, for --upload")
    .option("--json", "print each report as one JSON line, and with --upload the answer as another", false)
    .action(async (options: BenchCommandOptions) => (await load.bench()).benchCommand(options));
  // Both commands have --json, and each takes its own.
  bench.enablePositionalOptions();
  bench
    .command("compare")
    .description("Compare two reports of --json or --out, without a service.")
    .addArgument(new Argument("<base>", "the file of the first report"))
    .addArgument(new Argument("<other>", "the file of the second report"))
    .option("--json", "print the comparison as one JSON line", false)
    .action(async (base: string, other: string, { json }: { json: boolean }) =>
      (await load.compare()).compareReportFiles({ base, other, json }),
    );
}

export const withGame = (command: Command): Command =>
  command
    .option("--server <jar>", "the server's jar for the game tests; they use a folder of their own")
    .option("--java <program>", "the Java that runs the jar", "java")
    .option("--java-args <options>", "options of the JVM, separated by blanks, such as '-Xms4G -Xmx4G'")
    .option(
      "--accept-eula",
      "you accept Mojang's licence agreement for the jar: https://aka.ms/MinecraftEULA",
      false,
    );

function runsFrom(text: string): number {
  const runs = Number(text);
  if (/^\d{1,2}$/.test(text) && runs >= 1 && runs <= 20) return runs;
  throw new InvalidArgumentError("It takes 1 to 20.");
}
