import type { LogFact, LogWords } from "./log-fact.ts";
import { bedrockLogger, type LogLine } from "./log-line.ts";

/** The Bedrock Dedicated Server names its version right behind its first line; chat is never in its log. */
const version = /^Version:? (\d[\w.+-]{1,40})$/;
const portTaken = /^(?:Network port occupied|Port \[\d{1,5}\] may be in use)/;

/** Null for most lines of the Bedrock Dedicated Server, and for every line of another server. */
export function bedrockFactOf({ logger, level, message }: LogLine): LogFact | null {
  if (logger !== bedrockLogger) return null;
  if (level === "error" && portTaken.test(message))
    return { is: "failed", why: "it cannot listen on its port" };
  if (level !== "info") return null;
  if (message === "Server started.") return { is: "ready", tookMs: null };
  if (message === "Server stop requested." || message === "Stopping server...") return { is: "stopping" };
  if (message.startsWith("Player Spawned: ")) return { is: "joined" };
  const found = version.exec(message);
  return found?.[1] === undefined ? null : { is: "starting", version: found[1] };
}

const named = (start: string): LogWords => ({
  start,
  level: "info",
  read: (message) => ({ is: "starting", version: message.slice(start.length, start.length + 60).trim() }),
});

/** The first words of PocketMine; its end of the start and its stop are in the game's words. */
export const pocketMineFacts: readonly LogWords[] = [
  named("Starting Minecraft: Bedrock Edition server version "),
  named("Starting Minecraft PE server version "),
];

/** Geyser that runs alone names no thread; as a plugin it is a part of its server, and its words are no start. */
export function geyserFactOf({ thread, logger, level, message }: LogLine): LogFact | null {
  if (thread !== "" || logger !== null || level !== "info") return null;
  const found = /^Loading Geyser version (\S{1,60})/.exec(message);
  if (found?.[1]) return { is: "starting", version: found[1], proxy: "Geyser" };
  if (/^Done \(\d{1,6}(?:[.,]\d{1,9})?s\)! Run \/geyser help for help!$/.test(message))
    return { is: "ready", tookMs: null };
  return /^Shutting down Geyser\.{0,3}$/.test(message) ? { is: "stopping" } : null;
}
