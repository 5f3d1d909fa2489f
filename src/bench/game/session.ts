import { setTimeout as after } from "node:timers/promises";
import {
  addedChunks,
  savingOffAnswer,
  countAnswer,
  countIn,
  frozenAnswer,
  functionAnswer,
  killedAnswer,
  runningAnswer,
  scoreAnswer,
  sprintingAnswer,
  sprintReport,
  steppingAnswer,
  testAnswer,
} from "./answers.ts";
import type { RconAddress } from "../../agent/sources/rcon-client.ts";
import { Console } from "./console.ts";
import { GameFailure } from "./game-failure.ts";
import { NoLine, type GameProcess } from "./game-process.ts";
import type { Patience } from "./pace.ts";
import { addPen, cornerOf, functionAt, penIsLoaded, inPack, packName, type Corner } from "./pen.ts";

/** Dying entities take a second to vanish. */
const ticksToVanish = 40;
const pollMs = 50;
/** A line of the log is read at most this long after it was written, ms. */
const lateReportMs = 1000;

/** The commands that every game test gives to a running server. */
export class GameSession {
  readonly console: Console;
  readonly patience: Patience;
  readonly #server: GameProcess;
  readonly #address: RconAddress;
  readonly #usedCells = new Set<number>();
  /** The report of the last sprint, until it comes. */
  #unreported: Promise<unknown> | null = null;

  private constructor(server: GameProcess, console: Console, address: RconAddress, patience: Patience) {
    this.#server = server;
    this.#address = address;
    this.console = console;
    this.patience = patience;
  }

  static async open(
    server: GameProcess,
    address: RconAddress,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<GameSession> {
    const console = await Console.open(address, server, patience, signal);
    return new GameSession(server, console, address, patience);
  }

  /** For commands while the first console measures. */
  openConsole(signal: AbortSignal): Promise<Console> {
    return Console.open(this.#address, this.#server, this.patience, signal);
  }

  /** Sets up the scoreboard and the pen, once. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.call("setup", signal);
    // Fails without the data pack; some games answer the missing function above as if it ran.
    await this.ticksRun(signal);
    await this.console.run("save-off", savingOffAnswer, signal);
    await this.console.run(addPen, addedChunks, signal, this.patience.work);
    const until = performance.now() + this.patience.answer;
    for (const test of penIsLoaded) {
      while (!(await this.passes(test, signal))) {
        if (performance.now() > until)
          throw new GameFailure("chunks_not_made", "The server did not load the chunks of the tests.");
        await after(pollMs, undefined, { signal });
      }
    }
  }

  async freeze(signal: AbortSignal): Promise<void> {
    await this.console.run("tick freeze", frozenAnswer, signal);
  }

  async unfreeze(signal: AbortSignal): Promise<void> {
    await this.console.run("tick unfreeze", runningAnswer, signal);
  }

  /** Runs ticks as fast as they go, with `during` meanwhile. Returns the mean time of a tick, ms. */
  async sprint(
    ticks: number,
    signal: AbortSignal,
    during: () => Promise<void> = async () => undefined,
  ): Promise<number> {
    const reported = this.#server.nextLine(sprintReport, this.patience.work, signal);
    // If the command fails first, nobody waits for the report.
    this.#unreported = reported.catch(() => undefined);
    await this.console.run(`tick sprint ${ticks}`, sprintingAnswer, signal);
    await during();
    try {
      const [, ms = ""] = await reported;
      this.#unreported = null;
      return Number(ms.replace(",", "."));
    } catch (error) {
      if (!(error instanceof NoLine)) throw error;
      throw new GameFailure(
        "answer_not_understood",
        `The server's log has no report of "tick sprint ${ticks}" that is understood: ${error.message}`,
      );
    }
  }

  /** The number of ticks since `prepare`. */
  async ticksRun(signal: AbortSignal): Promise<number> {
    return this.score("#ticks", signal);
  }

  /** Runs ticks of a frozen game, at their usual pace. */
  async step(ticks: number, signal: AbortSignal): Promise<void> {
    const before = await this.ticksRun(signal);
    await this.console.run(`tick step ${ticks}`, steppingAnswer, signal);
    const until = performance.now() + this.patience.answer;
    while ((await this.ticksRun(signal)) < before + ticks) {
      if (performance.now() > until)
        throw new GameFailure("ticks_do_not_run", `The game did not run the ${ticks} ticks of "tick step".`);
      await after(pollMs, undefined, { signal });
    }
  }

  async score(holder: string, signal: AbortSignal): Promise<number> {
    const [, value] = await this.console.run(
      `scoreboard players get ${holder} ${packName}`,
      scoreAnswer,
      signal,
    );
    return Number(value);
  }

  /** `condition`: more arguments of the selector, such as `,tag=tickmark_moved`. */
  async countEntities(condition: string, signal: AbortSignal): Promise<number> {
    const command = `execute if entity @e[tag=${packName}${condition}]`;
    return countIn(await this.console.run(command, countAnswer, signal));
  }

  async passes(test: string, signal: AbortSignal): Promise<boolean> {
    const [, outcome] = await this.console.run(test, testAnswer, signal);
    return outcome === "passed";
  }

  async call(name: string, signal: AbortSignal): Promise<void> {
    await this.console.run(`function ${inPack(name)}`, functionAnswer, signal, this.patience.work);
  }

  /** Runs a function of the data pack in a cell, which `clear` empties later. */
  async callAt(cell: number, corner: Corner, name: string, signal: AbortSignal): Promise<void> {
    this.#usedCells.add(cell);
    await this.console.run(functionAt(corner, name), functionAnswer, signal, this.patience.work);
  }

  /** Empties the pen, and leaves the game frozen. */
  async clear(signal: AbortSignal): Promise<void> {
    await this.freeze(signal);
    // Freezing makes the game report the sprint of a failed test, which must not count as the next one.
    if (this.#unreported) await Promise.race([this.#unreported, after(lateReportMs, null, { signal })]);
    this.#unreported = null;
    await this.console.run(`kill @e[tag=${packName}]`, killedAnswer, signal);
    for (const cell of this.#usedCells) await this.callAt(cell, cornerOf(cell), "clear_cell", signal);
    this.#usedCells.clear();
    await this.sprint(ticksToVanish, signal);
    await this.console.run("kill @e[type=minecraft:item]", killedAnswer, signal);
  }
}
