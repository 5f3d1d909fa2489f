import { setTimeout as after } from "node:timers/promises";
import { oneLine } from "../../agent/one-line.ts";
import {
  connectRcon,
  RconSilence,
  type RconAddress,
  type RconConnection,
} from "../../agent/sources/rcon-client.ts";
import { withoutFormatting } from "../../agent/sources/rcon-figures.ts";
import { GameFailure } from "./game-failure.ts";
import type { GameProcess } from "./game-process.ts";
import type { Patience } from "./pace.ts";

const retryMs = 100;
/** Time from broken connections to a known end of the process, ms. */
const endKnownMs = 1000;

/** The server's remote console. An answer that is not understood ends the test. */
export class Console {
  readonly #rcon: RconConnection;
  readonly #server: GameProcess;
  readonly #patience: Patience;

  private constructor(rcon: RconConnection, server: GameProcess, patience: Patience) {
    this.#rcon = rcon;
    this.#server = server;
    this.#patience = patience;
  }

  /** Tries again for a while, because the server has just started. */
  static async open(
    address: RconAddress,
    server: GameProcess,
    patience: Patience,
    signal: AbortSignal,
  ): Promise<Console> {
    const until = performance.now() + patience.answer;
    for (;;) {
      server.throwIfUnusable();
      try {
        return new Console(await connectRcon(address, signal), server, patience);
      } catch (error) {
        signal.throwIfAborted();
        if (performance.now() > until)
          throw new GameFailure(
            "console_not_reached",
            `The server's remote console is missing. ${oneLine(error)}`,
          );
      }
      await after(retryMs, undefined, { signal });
    }
  }

  /** Returns the match of `expected` in the answer. Throws a GameFailure for any other answer. */
  async run(
    command: string,
    expected: RegExp,
    signal: AbortSignal,
    waitMs = this.#patience.answer,
  ): Promise<RegExpExecArray> {
    const answer = withoutFormatting(await this.#answered(command, signal, waitMs));
    const found = expected.exec(answer);
    if (found) return found;
    throw new GameFailure(
      "answer_not_understood",
      `The server's answer to "${command}" was not understood: ${oneLine(answer) || "nothing"}`,
    );
  }

  close(): void {
    this.#rcon.close();
  }

  async #answered(command: string, signal: AbortSignal, waitMs: number): Promise<string> {
    signal.throwIfAborted();
    try {
      return await this.#server.whileItRuns(this.#rcon.execute(command, signal, waitMs));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GameFailure) throw error;
      const failure = await this.#failureOf(error, command, waitMs, signal);
      this.#server.giveUp(failure);
      throw failure;
    }
  }

  /** Waits a moment, because a connection breaks before the end of its server is known. */
  async #failureOf(
    problem: unknown,
    command: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<GameFailure> {
    if (problem instanceof RconSilence)
      return new GameFailure(
        "no_answer",
        `The server did not answer "${command}" within ${waitMs / 1000} s.`,
      );
    try {
      await this.#server.whileItRuns(after(endKnownMs, null, { signal }));
    } catch (reason) {
      signal.throwIfAborted();
      if (reason instanceof GameFailure) return reason;
    }
    return new GameFailure(
      "console_lost",
      `The connection to the server's console broke. ${oneLine(problem)}`,
    );
  }
}
