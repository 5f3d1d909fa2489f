import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { userInfo } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { withoutFormatting } from "../../agent/sources/rcon-figures.ts";
import { GameFailure } from "./game-failure.ts";
import { causeOfEnd } from "./end-of-server.ts";
import { startGroupGuard, type GroupGuard } from "./group-guard.ts";
import { unsupportedBy } from "./game-version.ts";
import { failureCode } from "../../core/failure-code.ts";

export interface GameCommand {
  readonly java: string;
  readonly arguments: readonly string[];
  readonly folder: string;
}

/** Last lines of the log, kept to find the reason of an end. */
const keptLines = 200;

const worldIsMade = /\bDone \([\d.,]{1,12}s\)!/;

/** The owner's server, in a process group of its own. */
export class GameProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<(line: string | GameFailure) => void>();
  /** Why the server cannot be measured; null while it can. */
  #failure: GameFailure | null = null;
  #isReady = false;
  readonly #guard: GroupGuard = startGroupGuard();
  readonly #ended: Promise<void>;

  constructor({ java, arguments: args, folder }: GameCommand) {
    this.#child = spawn(java, args, { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    if (this.#child.pid !== undefined) this.#guard.watch(this.#child.pid);
    process.once("exit", this.#abandon);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#fail(
          new GameFailure("java_not_started", `The Java ${java} cannot be started: ${error.message}.`),
        );
        resolve();
      });
      this.#child.once("close", (status, signal) => {
        this.#fail(causeOfEnd(this.#lines, { status, signal, wasReady: this.#isReady }));
        resolve();
      });
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream)
        createInterface({ input: stream }).on("line", (line) => this.#take(withoutFormatting(line)));
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  throwIfUnusable(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Ends the use of the server for all tests: it hangs, or is of a kind that cannot be measured. */
  giveUp(reason: GameFailure): void {
    this.#fail(reason);
  }

  /** Resolves when the world is made and the server takes commands. */
  async ready(waitMs: number, signal: AbortSignal): Promise<void> {
    await this.nextLine(worldIsMade, waitMs, signal).catch((error: unknown) => {
      throw error instanceof NoLine
        ? new GameFailure(
            "server_not_ready",
            `The server was not ready after ${Math.round(waitMs / 1000)} s.`,
          )
        : error;
    });
    this.#isReady = true;
  }

  /** The next line that matches. Rejects with NoLine after `waitMs`, or with the reason of an end. */
  nextLine(wanted: RegExp, waitMs: number, signal: AbortSignal): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const settle = (): void => {
        this.#waiting.delete(look);
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const look = (line: string | GameFailure): void => {
        const found = typeof line === "string" ? wanted.exec(line) : null;
        if (typeof line === "string" && found === null) return;
        settle();
        if (found) resolve(found);
        else reject(line as GameFailure);
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new NoLine(`The server's log has no line ${wanted.source}.`));
      }, waitMs);
      this.#waiting.add(look);
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
    });
  }

  /** Returns the result of `work`; rejects with the reason if the server ends first. */
  async whileItRuns<T>(work: Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    let look: (line: string | GameFailure) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      look = (line) => typeof line !== "string" && reject(line);
      this.#waiting.add(look);
    });
    try {
      return await Promise.race([work, failed]);
    } finally {
      this.#waiting.delete(look);
    }
  }

  /** Ends the server and every process that it started: SIGTERM, after `waitMs` SIGKILL. */
  async stop(waitMs: number): Promise<void> {
    this.#signal("SIGTERM");
    await Promise.race([this.#ended, after(waitMs)]);
    this.#signal("SIGKILL");
    await this.#ended;
    // Children end a moment after the signal, and keep their numbers until somebody waits for them.
    for (let left = 10; left > 0 && this.#signal(0); left -= 1) await after(10);
    this.#guard.release();
    process.off("exit", this.#abandon);
    // A killed JVM leaves the file of its counters.
    await rm(`/tmp/hsperfdata_${userInfo().username}/${this.#child.pid}`, { force: true });
    if (this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined)
      await once(this.#child, "exit");
  }

  readonly #abandon = (): void => void this.#signal("SIGKILL");

  /** Signals the process group; false if it is gone. */
  #signal(name: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, name);
    } catch (error) {
      // EPERM: a process of another user is left in the group.
      return failureCode(error) !== "ESRCH";
    }
  }

  #take(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > keptLines) this.#lines.shift();
    const reason = this.#isReady ? null : unsupportedBy(line);
    if (reason) this.#fail(reason);
    for (const look of this.#waiting) look(line);
  }

  #fail(reason: GameFailure): void {
    this.#failure ??= reason;
    for (const look of this.#waiting) look(this.#failure);
  }
}

/** The line did not come in time. */
export class NoLine extends Error {}
