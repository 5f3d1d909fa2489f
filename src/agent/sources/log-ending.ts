import { CauseLines } from "./log-cause.ts";
import type { LogFact } from "./log-fact.ts";
import { modErrors } from "./log-facts.ts";
import type { LogLine, Stamp } from "./log-line.ts";

export interface FoundFact<Fact extends LogFact = LogFact> {
  readonly fact: Fact;
  readonly stamp: Stamp | null;
  /** The stamp of the line before; null if that was read earlier. */
  readonly before: Stamp | null;
  readonly line: string;
}

/** The full class name of a mod loader's exception. */
const loaderClass = /^(?:Caused by: )?((?:net\.minecraftforge|net\.neoforged|cpw\.mods)\.[\w.$]+)/;
/** Exception names that mean that the server never ran, and did not crash. */
const loadingWords = /Loading|MissingMods|WrongMinecraftVersion|DuplicateMods|FatalStartup/;
const longestMessage = 250;
const mostErrors = 5;

function isLoaderException(thrown: string): boolean {
  const name = loaderClass.exec(thrown)?.[1] ?? "";
  return loadingWords.test(name) && /(?:Exception|Error)$/.test(name);
}

function messageOf(thrown: string): string | null {
  const name = /(?:Exception|Error): /.exec(thrown);
  const message = name === null ? "" : thrown.slice(name.index + name[0].length);
  if (message === "" || message.length > longestMessage) return null;
  return message.startsWith("Loading errors encountered") ? null : message;
}

/** Null if the mod loader is not the cause. */
function loaderFailure(thrown: string | null, report: string | null): string | null {
  const isOne = isLoaderException(thrown ?? "") || (report?.endsWith("-fml.txt") ?? false);
  if (!isOne) return null;
  const message = messageOf(thrown ?? "");
  return message === null ? modErrors : `${modErrors}: ${message}`;
}

/** Most first words of a failure say no more than the reader's own. */
const namesException = (line: string): boolean => /[\w$](?:Exception|Error)\b/.test(line);

/** An end that was announced, and that later lines may explain. */
interface Begun {
  readonly found: FoundFact;
  readonly thread: string;
  /** Why it crashed, as far as lines have said it. */
  readonly why: string | null;
  /** The lines behind a failed start; null for a crash. */
  readonly lines: CauseLines | null;
  /** False if the server may go on after it. */
  readonly isCertain: boolean;
  /** Its report is being printed, whose lines are none of the start. */
  readonly isReported: boolean;
}

/** Gathers what several lines say of one end: the exception before its report, the lines behind it, the report's name. */
export class LogEnding {
  #begun: Begun | null = null;
  /** The exception below the last error that announced one. */
  #cause: string | null = null;
  #isCauseNext = false;
  /** The last errors of this start. */
  #errors: readonly string[] = [];

  /** When it was announced; undefined if no end is awaited. */
  get begunAt(): Stamp | null | undefined {
    return this.#begun?.found.stamp;
  }

  /** Each line with a time passes here, whatever it says. */
  pass(line: LogLine, fact: LogFact | null, mayBeTraced: boolean): void {
    if (this.#isElsewhere(line, fact)) this.#begun = null;
    if (fact || mayBeTraced) this.#isCauseNext = false;
  }

  /** The thread that announced a crash report goes on (as after `perf`), so there was no crash. */
  #isElsewhere({ thread, logger }: LogLine, fact: LogFact | null): boolean {
    const isWaiting = this.#begun?.isCertain === false && this.#begun.thread === thread;
    return isWaiting && fact === null && !/^STD(?:OUT|ERR)\b/.test(logger ?? "");
  }

  /** A warning or an error of a server that starts. */
  takeTrouble({ level, message }: LogLine): void {
    this.takeLine(message);
    if (level === "error") this.#errors = [...this.#errors.slice(1 - mostErrors), message.slice(0, 300)];
  }

  takeLine(line: string): void {
    if (this.#begun?.isReported === false) this.#begun.lines?.take(line);
  }

  /** An exception is to be below this line. */
  expectCause(): void {
    this.#isCauseNext = true;
    this.#cause = null;
  }

  /** Whether this line was expected as the exception. */
  takeCause(cause: string): boolean {
    const isCause = this.#isCauseNext;
    this.#isCauseNext = false;
    if (isCause) {
      this.#cause = cause;
      this.#explain(cause);
    }
    return isCause;
  }

  #explain(why: string | null): void {
    if (this.#begun) this.#begun = { ...this.#begun, why: this.#begun.why ?? why };
  }

  crash(found: FoundFact<LogFact & { is: "crashing" }>, thread: string): void {
    const { why, isCertain } = found.fact;
    const begun = this.#begun ?? { found, thread, why: null, lines: null, isCertain, isReported: false };
    this.#begun = {
      ...begun,
      isCertain: begun.isCertain || isCertain,
      isReported: begun.isReported || isCertain,
    };
    this.#explain(why ?? this.#cause);
    this.#isCauseNext = isCertain && this.#begun.why === null;
  }

  /** False if the start is known to have failed. */
  fail(found: FoundFact<LogFact & { is: "failed" }>, thread: string): boolean {
    if (this.#begun?.lines) return false;
    const lines = new CauseLines(found.fact.why, this.#errors);
    if (namesException(found.line)) lines.take(found.line);
    this.#begun = { found, thread, why: null, lines, isCertain: true, isReported: false };
    return true;
  }

  /** The end with its report, which is the last that lines say of it. */
  close({ fact, ...here }: FoundFact<LogFact & { is: "crash" }>): FoundFact {
    return { ...here, fact: this.#finished(fact.report) };
  }

  /** The end as far as it is known; null if none was announced. No further lines belong to it. */
  settle(): FoundFact | null {
    const begun = this.#begun;
    return begun && { ...begun.found, fact: this.#finished(null) };
  }

  #finished(report: string | null): LogFact {
    const [begun, cause] = [this.#begun, this.#cause];
    this.#begun = null;
    this.#cause = null;
    if (begun?.lines) return { is: "failed", ...begun.lines.cause, report };
    const byLoader = loaderFailure(cause, report);
    if (byLoader !== null) return { is: "failed", why: byLoader, report };
    return { is: "crash", why: begun?.why ?? cause, report };
  }

  /** The server goes on, or begins anew. */
  forget(): void {
    this.#begun = null;
    this.#errors = [];
  }
}
