import { existsSync, statSync } from "node:fs";
import { format, parse, resolve } from "node:path";
import { gameTestIds, testIds, type BenchOptions } from "../bench/bench.ts";
import { eulaNotAccepted } from "../bench/game/game-failure.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { projectVersion } from "../program/program-files.ts";
import { CommandError, exitStatus } from "./output.ts";

export const benchVersion = `tickmark-bench ${projectVersion}`;

export interface BenchCommandOptions extends GameChoice {
  readonly mode: BenchmarkMode;
  /** Ids, separated by commas. */
  readonly tests?: string;
  readonly dir?: string;
  readonly quick: boolean;
  readonly runs: number;
  readonly out?: string;
  readonly upload: boolean;
  /** The state folder of the agent; undefined for the user's default one. */
  readonly state?: string;
  readonly json: boolean;
  /** The processor is measured by CPU time, beside a server in use. */
  readonly whileServing: boolean;
  /** Begins without a question. */
  readonly yes: boolean;
}

export interface GameChoice {
  /** The path of the jar. */
  readonly server?: string;
  readonly java: string;
  /** Separated by blanks. */
  readonly javaArgs?: string;
  readonly acceptEula: boolean;
}

/** Null without a server. Throws if there is no jar, or the EULA was not accepted. */
export function gameOf({ server, java, javaArgs, acceptEula }: GameChoice): BenchOptions["game"] {
  if (server === undefined) return null;
  const jar = resolve(server);
  if (!existsSync(jar)) throw new CommandError(`There is no file ${jar}.`, exitStatus.usage);
  if (!acceptEula) throw new CommandError(eulaNotAccepted().message, exitStatus.usage);
  return { jar, java, javaArgs: javaArgs?.split(/\s+/).filter((each) => each !== "") ?? [], acceptEula };
}

const quickLength = 1 / 3;

/** Throws if the options cannot be run together. */
export function chosenFrom(
  options: BenchCommandOptions,
): Pick<BenchOptions, "mode" | "measuredBy" | "tests" | "length" | "directory" | "game"> {
  const { quick, whileServing, dir = "." } = options;
  const tests = whileServing ? testsWhileServing(options) : testsFrom(options.tests);
  // Tests of the machine alone need no server.
  const game = tests?.every((id) => !gameTestIds.includes(id)) ? null : gameOf(options);
  const mode = quick || tests !== null ? "custom" : options.mode;
  const needsServer = tests?.find((id) => gameTestIds.includes(id)) ?? (mode === "stresslimit" ? mode : null);
  if (game === null && needsServer !== null)
    throw new CommandError(
      `${needsServer} measures a game server. Name its jar with --server.`,
      exitStatus.usage,
    );
  const directory = resolve(dir);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`There is no folder ${directory}. Name another with --dir.`, exitStatus.usage);
  const measuredBy = whileServing ? "cpu_time" : "wall_time";
  return { mode, measuredBy, tests, length: quick ? quickLength : 1, directory, game };
}

/** Only these take no more than processor time, which is measured exactly whoever else works. */
const byCpuTime: readonly string[] = ["cpu_single_core", "cpu_multi_core"];

function testsWhileServing({ tests, server }: BenchCommandOptions): readonly string[] {
  const chosen = testsFrom(tests) ?? byCpuTime;
  const other =
    chosen.find((id) => !byCpuTime.includes(id)) ?? (server === undefined ? undefined : "--server");
  if (other === undefined) return chosen;
  throw new CommandError(
    `${other} cannot be measured while the machine is in use. --while-serving measures ${byCpuTime.join(" and ")}.`,
    exitStatus.usage,
  );
}

function testsFrom(written: string | undefined): readonly string[] | null {
  if (written === undefined) return null;
  const chosen = written.split(",").map((id) => id.trim());
  const unknown = chosen.find((id) => !testIds.includes(id));
  if (unknown === undefined) return chosen;
  throw new CommandError(
    `There is no test ${JSON.stringify(unknown)}. The tests are ${testIds.join(", ")}.`,
    exitStatus.usage,
  );
}

/** Null for a report that is not kept. Throws if a file exists already. */
export function filesFrom({ out, runs }: BenchCommandOptions): readonly (string | null)[] {
  return Array.from({ length: runs }, (_, index) => {
    if (out === undefined) return null;
    const { dir, name, ext } = parse(resolve(out));
    const file = index === 0 ? resolve(out) : format({ dir, name: `${name}-${index + 1}`, ext });
    if (!existsSync(file)) return file;
    throw new CommandError(
      `${file} exists already, and is not overwritten. Name another file with --out.`,
      exitStatus.usage,
    );
  });
}
