import type { LogFact } from "./log-fact.ts";
import { outOfMemoryFact } from "./log-facts.ts";
import type { LogLine } from "./log-line.ts";
import { isBeforeTheGame, isOfStrangers, isOwn } from "./log-origin.ts";

/** A part of a crash's report or stack trace. */
export interface CrashPart {
  readonly is: "report" | "description" | "thrown";
  readonly text: string;
}

/**
 * Which raw lines may follow a stamped one. `trace`: it is an error of the server's own thread; `console`: no
 * player can be online yet; `none`: a player's text with a line break looks the same.
 */
export type Follows = "trace" | "console" | "none";

export function followsOf(line: LogLine): Follows {
  if (isOfStrangers(line) || !isOwn(line)) return "none";
  if (line.level === "error") return "trace";
  return isBeforeTheGame(line) ? "console" : "none";
}

/** The first line of a stack trace: the exception and its message. */
const thrown = /^(?:Caused by: )?((?:[\w$]{1,60}\.){1,12}[\w$]{1,80})(?:: (.{0,2000}))?$/;

const reportTitle = "---- Minecraft Crash Report ----";
const mainThread = 'Exception in thread "main" ';

const stackFrame = /^\s{1,8}at [\w.$/<>@-]{3,200}\(/;

/** A raw line of this class that a stack frame follows is the JVM's, on whatever thread it was. */
export const isFrame = (line: string): boolean => stackFrame.test(line);

export function factOfRaw(line: string): LogFact | CrashPart | null {
  if (line.startsWith(reportTitle)) return { is: "report", text: "" };
  if (line.startsWith("Description: ")) return { is: "description", text: line.slice(13, 213).trim() };
  const cut = line.slice(0, 2000).trimEnd();
  const memory = cut.includes("OutOfMemoryError") ? outOfMemoryFact(cut) : null;
  if (memory) return memory;
  if (line.startsWith(mainThread)) return { is: "failed", why: "an error while starting" };
  const found = thrown.exec(cut);
  return found && /(?:Exception|Error|Throwable)$/.test(found[1] ?? "")
    ? { is: "thrown", text: cut.replace(/ \[$/, "") }
    : null;
}
