import type { LogLine } from "./log-line.ts";
import { moderationOf, type Moderation } from "./log-moderation.ts";

/** What a line of the log tells, in any of the server families. */
export type Fact =
  | { readonly is: "starting"; readonly version: string }
  | { readonly is: "ready"; readonly tookMs: number | null }
  | { readonly is: "stopping" | "restarting" | "joined" | "threw" }
  | { readonly is: "crash"; readonly why: string | null; readonly report: string | null }
  | { readonly is: "failed"; readonly why: string }
  | { readonly is: "hanging"; readonly seconds: number }
  | { readonly is: "behind"; readonly ms: number | null; readonly ticks: number | null }
  | { readonly is: "paused"; readonly afterSeconds: number }
  | { readonly is: "out_of_memory"; readonly what: string }
  | { readonly is: "moderation"; readonly moderation: Moderation };

const number = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text.replace(",", "."));

type Reader = (message: string) => Fact | null;

/** By the words a message begins with: one look-up instead of many patterns. */
const readers: readonly (readonly [start: string, read: Reader])[] = [
  [
    "Starting minecraft server version ",
    (message) => ({ is: "starting", version: message.slice(34, 34 + 60).trim() }),
  ],
  [
    "Done (",
    (message) => {
      const found = /^Done \((\d{1,6}(?:[.,]\d{1,9})?)\s?s\)! For help, type /.exec(message);
      return found ? { is: "ready", tookMs: Math.round((number(found[1]) ?? 0) * 1000) } : null;
    },
  ],
  // Glowstone.
  [
    "Ready for connections.",
    (message) => (message === "Ready for connections." ? { is: "ready", tookMs: null } : null),
  ],
  [
    "Stopping ",
    (message) =>
      message === "Stopping server" || message === "Stopping the server" ? { is: "stopping" } : null,
  ],
  ["Attempting to restart with ", () => ({ is: "restarting" })],
  ["Encountered an unexpected exception", () => ({ is: "threw" })],
  ["This crash report has been saved to: ", (message) => crashReport(message.slice(37))],
  ["Crash report saved to ", (message) => crashReport(message.slice(22))],
  ["We were unable to save this crash report to disk", () => ({ is: "crash", why: null, report: null })],
  ["Considering it to be crashed", () => ({ is: "crash", why: "one tick took too long", report: null })],
  [
    "The server has stopped responding!",
    () => ({ is: "crash", why: "the main thread stopped responding", report: null }),
  ],
  [
    "The server has not responded for ",
    (message) => {
      const found = /^The server has not responded for (\d{1,5}) seconds/.exec(message);
      return found ? { is: "hanging", seconds: Number(found[1]) } : null;
    },
  ],
  ["Can't keep up!", behind],
  [
    "Server empty for ",
    (message) => {
      const found = /^Server empty for (\d{1,7}) seconds, pausing/.exec(message);
      return found ? { is: "paused", afterSeconds: Number(found[1]) } : null;
    },
  ],
  ["**** FAILED TO BIND TO PORT", () => ({ is: "failed", why: "its port is taken" })],
  ["Failed to start the minecraft server", () => ({ is: "failed", why: "an error while starting" })],
  [
    "Failed to load datapacks, can't proceed",
    () => ({ is: "failed", why: "the data packs of the world cannot be loaded" }),
  ],
  ["You need to agree to the EULA", () => ({ is: "failed", why: "the EULA is not agreed to" })],
  ["Incompatible mod", () => ({ is: "failed", why: "mods do not fit together" })],
  ["A critical error occurred", () => ({ is: "failed", why: "a critical error of the mod loader" })],
  [
    // Forge up to 1.12 ends so when it gave up before the server ran.
    "The state engine was in incorrect state ",
    (message) =>
      message.includes("incorrect state SERVER_")
        ? null
        : { is: "failed", why: "errors of mods while loading" },
  ],
  ["The server has failed to initialize", () => ({ is: "failed", why: "errors of mods while loading" })],
];

/** Only the file's name: folders have names of people in them. */
function crashReport(path: string): Fact {
  const text = path.trimEnd();
  const file = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  return {
    is: "crash",
    why: null,
    report: /^[\w.-]{1,100}$/.test(file) && file.endsWith(".txt") ? file : null,
  };
}

/** Since 1.13 `Running 2345ms or 46 ticks behind`, before `Running 2345ms behind, skipping 46 tick(s)`. */
function behind(message: string): Fact {
  const ms = /Running (\d{1,9})ms /.exec(message)?.[1];
  const ticks = /(?: or |skipping )(\d{1,9}) tick/.exec(message)?.[1];
  return { is: "behind", ms: number(ms), ticks: number(ticks) };
}

/** Chat is written by its own threads, and says what players like. */
const isChat = (thread: string): boolean => thread.includes("Chat Thread");

const joined = /^[\w.*+-]{1,40}(?:\[[^\]\s]{1,80}\])? (?:joined the game$|logged in with entity id )/;

const initials = new Set(readers.map(([start]) => start.charCodeAt(0)));
const readersByInitial = new Map(
  [...initials].map((initial) => [initial, readers.filter(([start]) => start.charCodeAt(0) === initial)]),
);

/** What may stand anywhere in a message that tells something: one pass, and most lines are done with. */
const telling =
  /OutOfMemoryError|joined the game|logged in with|Exception in thread "main"|anned |icked |muted /;

/** What a stamped line tells; null for most. */
export function factOf({ thread, message }: Pick<LogLine, "thread" | "message">): Fact | null {
  if (isChat(thread)) return null;
  for (const [start, read] of readersByInitial.get(message.charCodeAt(0)) ?? []) {
    if (message.startsWith(start)) return read(message);
  }
  const word = telling.exec(message)?.[0];
  switch (word) {
    case undefined:
      return null;
    case "OutOfMemoryError":
      return outOfMemory(message);
    case mainThread:
      return failedToRun;
    case "joined the game":
    case "logged in with":
      return joined.test(message) ? { is: "joined" } : null;
    default: {
      const moderation = moderationOf(message);
      return moderation ? { is: "moderation", moderation } : null;
    }
  }
}

const mainThread = 'Exception in thread "main"';
const failedToRun: Fact = { is: "failed", why: "an error while starting" };

const outOfMemory = (text: string): Fact | null => {
  const found = /OutOfMemoryError(?:: ([\w ]{1,60}))?/.exec(text);
  return found ? { is: "out_of_memory", what: found[1]?.trim() ?? "no more memory" } : null;
};

/** The first line of a stack trace: what was thrown, and its message. */
const thrown = /^(?:Caused by: )?((?:[\w$]{1,60}\.){1,12}[\w$]{1,80})(?:: (.{0,300}))?$/;

/** A part of what a crash says of itself: of its report, or of its stack trace. */
export interface CrashPart {
  readonly is: "report" | "description" | "thrown";
  readonly text: string;
}

/** What a line without a stamp tells: a crash report printed into the log, or what was thrown. */
export function factOfUnstamped(line: string): Fact | CrashPart | null {
  if (line.startsWith(reportTitle)) return { is: "report", text: "" };
  if (line.startsWith("Description: ")) return { is: "description", text: line.slice(13, 213).trim() };
  if (line.startsWith(mainThread)) return failedToRun;
  const cut = line.slice(0, 600).trimEnd();
  if (cut.includes("OutOfMemoryError")) return outOfMemory(cut);
  const found = thrown.exec(cut);
  return found && /(?:Exception|Error|Throwable)$/.test(found[1] ?? "")
    ? { is: "thrown", text: cut.slice(0, 300).replace(/ \[$/, "") }
    : null;
}

const reportTitle = "---- Minecraft Crash Report ----";
