import { dirname } from "node:path";
import { createInterface } from "node:readline/promises";
import type { FoundServer } from "../agent/install/find-server.ts";
import { readProcessors } from "../bench/machine/processors.ts";
import { thisMachine, type MachineRoot } from "../linux/proc.ts";
import { readLoadAverage } from "../linux/load.ts";
import { CommandError, printError } from "./output.ts";
import { playersOnline } from "./players-online.ts";

/** So many programs at work at once, on average of the last minute, are more than a machine at rest has. */
const restingLoad = 0.5;

export interface LooksBefore {
  readonly root?: MachineRoot;
  readonly pid?: number;
  /** The server that the benchmark may disturb; null: none is known. */
  readonly server: FoundServer | null;
  readonly signal: AbortSignal;
}

/** Sentences about what the machine does already; empty on a machine at rest. */
export async function looksBefore({
  root = thisMachine,
  pid = process.pid,
  server,
  signal,
}: LooksBefore): Promise<string[]> {
  const [load, { allowed, quotaCores }] = await Promise.all([
    readLoadAverage(root),
    readProcessors(root, pid),
  ]);
  // What a quota leaves to others is theirs to use.
  const mostLoad = restingLoad + Math.max(0, allowed - (quotaCores ?? allowed));
  const players = server === null ? null : await playersOnline(server, signal, () => {});
  return [
    ...(load !== null && load > mostLoad
      ? [
          `In the last minute ${load.toFixed(1)} programs worked at a time on this machine's ${allowed} processors. Tests that others disturb have no scores.`,
        ]
      : []),
    ...(players !== null && players > 0
      ? [
          `${players === 1 ? "1 player is" : `${players} players are`} online. The benchmark disturbs them, and they disturb it; --while-serving measures the processor beside them.`,
        ]
      : []),
  ];
}

export interface StartQuestion {
  /** False where nobody can answer: the benchmark then begins. */
  readonly canAsk: boolean;
  readonly yes: boolean;
  readonly tell: (line: string) => void;
  /** Resolves to what the person typed. */
  readonly ask: (question: string) => Promise<string>;
}

/** Tells what was found, and lets a person on a terminal decide. Throws if the person says no. */
export async function confirmStart(
  found: readonly string[],
  { canAsk, yes, tell, ask }: StartQuestion,
): Promise<void> {
  for (const sentence of found) tell(sentence);
  if (found.length === 0 || yes || !canAsk) return;
  const answer = (await ask("Measure all the same? [y/N] ")).trim();
  if (!/^y(?:es)?$/i.test(answer)) throw new CommandError("Nothing was measured.");
}

/** The person at this terminal. */
export const personAtTerminal = (yes: boolean, signal: AbortSignal): StartQuestion => ({
  canAsk: process.stdin.isTTY && process.stderr.isTTY,
  yes,
  tell: printError,
  ask: async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C at the question, and the end of the input, are no answer.
    const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    terminal.once("SIGINT", () => terminal.close());
    try {
      return await Promise.race([terminal.question(question, { signal }), ended]);
    } finally {
      terminal.close();
    }
  },
});

/** The linked server, or that of the folder of the jar. */
export const serverBeside = (linked: FoundServer | null, jar: string | undefined): FoundServer | null =>
  linked ?? (jar === undefined ? null : { directory: dirname(jar) });
