import type { LogFact, LogWords } from "./log-fact.ts";
import { bedrockFactOf, geyserFactOf, pocketMineFacts } from "./log-bedrock.ts";
import { bedrockLogger, type LogLine } from "./log-line.ts";
import { moderationOf } from "./log-moderation.ts";
import { isOfStrangers, isOwn, mayEndSession } from "./log-origin.ts";
import { proxyFacts } from "./log-proxies.ts";

const number = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text.replace(",", "."));

const failed = (why: string): LogFact => ({ is: "failed", why });
const newerWorld = "its world was saved by another version of the game";
export const modErrors = "errors of mods while loading";

const words: readonly LogWords[] = [
  {
    start: "Starting minecraft server version ",
    level: "info",
    read: (message) => ({ is: "starting", version: message.slice(34, 34 + 60).trim() }),
  },
  {
    start: "Done (",
    level: "info",
    read: (message) => {
      const found = /^Done \((\d{1,6}(?:[.,]\d{1,9})?)\s?s\)!(?: For help, type |$)/.exec(message);
      return found ? { is: "ready", tookMs: Math.round((number(found[1]) ?? 0) * 1000) } : null;
    },
  },
  // Glowstone.
  {
    start: "Ready for connections.",
    level: "info",
    read: (message) => (message === "Ready for connections." ? { is: "ready", tookMs: null } : null),
  },
  {
    start: "Stopping ",
    level: "info",
    endsSession: true,
    read: (message) =>
      message === "Stopping server" || message === "Stopping the server" ? { is: "stopping" } : null,
  },
  { start: "Attempting to restart with ", level: null, read: () => ({ is: "restarting" }) },
  { start: "Encountered an unexpected exception", level: "error", read: () => ({ is: "threw" }) },
  ...["Saving players", "Saving worlds", "Closing Server", "[RegionShutdownThread] "].map(
    (start): LogWords => ({ start, level: "info", endsSession: true, read: () => ({ is: "closing" }) }),
  ),
  {
    start: "Preparing crash report with UUID ",
    level: "error",
    read: () => ({ is: "crashing", why: null, isCertain: false }),
  },
  // Folia ends when one of its regions cannot go on.
  {
    start: "[io.papermc.paper.threadedregions.TickRegionScheduler] Region ",
    level: "error",
    read: (message) =>
      message.endsWith(" failed to tick:") ? { is: "crashing", why: null, isCertain: true } : null,
  },
  {
    start: "This crash report has been saved to: ",
    level: "error",
    endsSession: true,
    read: (message) => crashReport(message.slice(37)),
  },
  { start: "Crash report saved to ", level: "error", read: (message) => crashReport(message.slice(22)) },
  {
    start: "We were unable to save this crash report to disk",
    level: "error",
    read: () => ({ is: "crash", why: null, report: null }),
  },
  {
    start: "Considering it to be crashed",
    level: "error",
    endsSession: true,
    read: () => ({ is: "crashing", why: "one tick took too long", isCertain: true }),
  },
  {
    start: "The server has stopped responding!",
    level: "error",
    endsSession: true,
    read: () => ({ is: "crashing", why: "the main thread stopped responding", isCertain: true }),
  },
  {
    start: "The server has not responded for ",
    level: "error",
    read: (message) => {
      const found = /^The server has not responded for (\d{1,5}) seconds/.exec(message);
      return found ? { is: "hanging", seconds: Number(found[1]) } : null;
    },
  },
  { start: "Can't keep up!", level: "warning", read: behind },
  {
    start: "Server empty for ",
    level: "info",
    read: (message) => {
      const found = /^Server empty for (\d{1,7}) seconds, pausing/.exec(message);
      return found ? { is: "paused", afterSeconds: Number(found[1]) } : null;
    },
  },
  { start: "**** FAILED TO BIND TO PORT", level: null, read: () => failed("it cannot listen on its port") },
  {
    start: "Failed to start the minecraft server",
    level: "error",
    read: () => failed("an error while starting"),
  },
  {
    start: "Failed to load datapacks, can't proceed",
    level: null,
    read: () => failed("the data packs of the world cannot be loaded"),
  },
  { start: "This world was created by an incompatible version", level: null, read: () => failed(newerWorld) },
  {
    start: "This world must be opened in an older version",
    level: null,
    read: () => failed("its world is too old for this version of the game"),
  },
  { start: "You need to agree to the EULA", level: null, read: () => failed("the EULA is not agreed to") },
  { start: "Incompatible mod", level: "error", read: () => failed("mods do not fit together") },
  {
    start: "A critical error occurred",
    level: "error",
    read: () => failed("a critical error of the mod loader"),
  },
  // Forge up to 1.12 ends with this when it gave up before the server ran.
  {
    start: "The state engine was in incorrect state ",
    level: null,
    read: (message) => (message.includes("incorrect state SERVER_") ? null : failed(modErrors)),
  },
  { start: "The server has failed to initialize", level: null, read: () => failed(modErrors) },
  // Forge since 1.13, and NeoForge.
  { start: "Error during pre-loading phase", level: "error", read: () => failed(modErrors) },
  {
    start: "Failed to complete lifecycle event ",
    level: "error",
    read: (message) => (message.includes(" errors found") ? failed(modErrors) : null),
  },
  {
    start: "Fatal errors were detected during the transition ",
    level: "error",
    read: () => failed(modErrors),
  },
  {
    start: "Missing mandatory dependencies",
    level: "error",
    read: () => failed("mods lack what they depend on"),
  },
  {
    start: "Failed to build unique mod list",
    level: "error",
    read: () => failed("a mod is there more than once"),
  },
  {
    start: "Missing or unsupported mandatory dependencies",
    level: "error",
    read: () => failed("mods lack what they depend on"),
  },
  ...proxyFacts,
  ...pocketMineFacts,
];

/** Only the file's name, because folders contain names of people. */
function crashReport(path: string): LogFact {
  const text = path.trimEnd();
  const file = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  const isName = /^[\w.-]{1,100}$/.test(file) && file.endsWith(".txt");
  return { is: "crash", why: null, report: isName ? file : null };
}

/** Since 1.13 `Running 2345ms or 46 ticks behind`, before `Running 2345ms behind, skipping 46 tick(s)`. */
function behind(message: string): LogFact {
  const ms = /Running (\d{1,9})ms /.exec(message)?.[1];
  const ticks = /(?: or |skipping )(\d{1,9}) tick/.exec(message)?.[1];
  return { is: "behind", ms: number(ms), ticks: number(ticks) };
}

const joined = /^[\w.*+-]{1,40}(?:\[[^\]\s]{1,80}\])? (?:joined the game$|logged in with entity id )/;

const initials = new Set(words.map(({ start }) => start.charCodeAt(0)));
const wordsByInitial = new Map(
  [...initials].map((initial) => [initial, words.filter(({ start }) => start.charCodeAt(0) === initial)]),
);

/** Null for most lines, and for any text that a player can write. */
export function factOf(line: LogLine): LogFact | null {
  if (isOfStrangers(line)) return line.level === "info" ? null : networkMemoryFact(line.message);
  if (line.logger === bedrockLogger) return bedrockFactOf(line);
  const { message } = line;
  const geyser = geyserFactOf(line);
  if (geyser) return geyser;
  const candidates = wordsByInitial.get(message.charCodeAt(0)) ?? [];
  const said = candidates.find(({ start }) => message.startsWith(start));
  if (said) {
    const isAllowed = said.endsSession === true ? mayEndSession(line) : isOwn(line);
    return isAllowed && (said.level ?? line.level) === line.level ? said.read(message) : null;
  }
  if (line.level === "error" || line.level === "warning")
    return message.includes("OutOfMemoryError") ? outOfMemoryFact(message) : null;
  if (line.level !== "info") return null;
  if (message.endsWith("joined the game") || message.includes(" logged in with entity id "))
    return isOwn(line) && joined.test(message) ? { is: "joined" } : null;
  const moderation = moderationOf(line);
  return moderation && { is: "moderation", moderation };
}

/** The JVM writes the class first, or after the thread or the cause. */
const memoryError =
  /^(?:Caused by: |Exception in thread "[^"]{1,80}" |Encountered an unexpected exception )?(?:java\.lang\.)?OutOfMemoryError(?:: ([\w ]{1,60}))?/;

/** The words of the network library itself; whoever connects writes behind other words. */
const networkMemoryError =
  /^(?:\[io\.netty\.[\w.]{1,80}\] )?An exception '(?:java\.lang\.)?OutOfMemoryError(?:: ([^']{1,200}))?' \[enable DEBUG level/;

function networkMemoryFact(message: string): LogFact | null {
  const found = networkMemoryError.exec(message);
  return found && outOfMemoryFact(`OutOfMemoryError: ${found[1] ?? "no more memory"}`);
}

export const outOfMemoryFact = (text: string): LogFact | null => {
  const found = memoryError.exec(text);
  return found ? { is: "out_of_memory", what: found[1]?.trim() ?? "no more memory" } : null;
};
