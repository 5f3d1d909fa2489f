import type { LogLine } from "./log-line.ts";

/** Threads of the game, its mod loader and a proxy; connections, chat, consoles and plugins use others. */
const ownThread =
  /^(?:Server thread|main|ServerMain|[\w ]{0,20}[Ss]hutdown [Tt]hread|RegionShutdownThread|(?:Folia )?Region Scheduler Thread #\d{1,4}|[\w ]{0,20}Watchdog(?: Thread)?|modloading-worker-\d{1,4}|Worker-Main-\d{1,4}|Netty Boss IO Thread #\d{1,4}|Thread-\d{1,6})$/;

/** Their loggers, whole or with shortened packages; a mod that shows outside chat uses its own name. */
const ownLogger =
  /^(?:net\.minecraft|ne\.mi\.|net\.neoforged\.|ne\.ne\.|cpw\.mods\.|cp\.mo\.|com\.mojang\.|co\.mo\.|minecraft\b|Minecraft|DedicatedServer\b|FML\b|ForgeMod\b|Mohist\b|Magma\b|mojang\/|com\.velocitypowered\.|STDERR\b|STDOUT\b|$)/;

/** Threads with text of players and strangers. */
const carriesStrangers =
  /Chat Thread|Netty (?!Boss)|User Authenticator|RCON Client|Query Listener|Discord|JDA/;

/** Threads of plugins, of pools that anybody may use, and of consoles. */
const ofOthers =
  /chat|netty|network|authenticat|rcon|query|discord|jda|console|command|scheduler thread - |pool|redis|http|web|timer-/i;

const banPlugin = "LiteBans|BanManager|AdvancedBan|MaxBans|Essentials|EssentialsX|CMI|LibertyBans";
/** Bukkit and its forks name the plugin in its scheduler threads. */
const banPluginThread = new RegExp(`^Craft (?:Async )?Scheduler Thread - \\d{1,6} - (?:${banPlugin})$`);
const banPluginLogger = new RegExp(`^(?:${banPlugin})/?$`);

export const isOfBanPlugin = ({ thread, logger }: Origin): boolean =>
  banPluginThread.test(thread) || (logger !== null && banPluginLogger.test(logger));

/** A thread that Bukkit names after a plugin. */
const pluginThread = /^Craft (?:Async )?Scheduler Thread - \d{1,6} - /;

/** Where an act may be told: not in chat, and not by another plugin than those of bans. */
export const mayTellActs = (line: Origin): boolean =>
  isOfBanPlugin(line) ||
  ((line.logger === null || ownLogger.test(line.logger)) &&
    !pluginThread.test(line.thread) &&
    !/chat/i.test(line.thread));

type Origin = Pick<LogLine, "thread" | "logger">;

/** Servers before 1.7, proxies and copied consoles name no thread. */
export const isOwn = ({ thread, logger }: Origin): boolean =>
  (thread === "" || ownThread.test(thread)) && (logger === null || ownLogger.test(logger));

/**
 * Whether a line may end a session: servers and their forks shut down on threads with names of their own, so
 * any thread counts on which nothing of players or plugins is printed.
 */
export const mayEndSession = ({ thread, logger }: Origin): boolean =>
  isOwn({ thread, logger }) || (!ofOthers.test(thread) && (logger === null || ownLogger.test(logger)));

/** Whether the line may hold text of a player or a stranger. */
export const isOfStrangers = ({ thread }: Origin): boolean => carriesStrangers.test(thread);

/** No player can be online before the game runs its own thread. */
export const isBeforeTheGame = ({ thread }: Origin): boolean => thread === "main" || thread === "ServerMain";

/** More odd names on one server are an attack on the agent's memory. */
const mostNames = 1000;

const plainName = /^[\w.*+-]{1,40}$/;
/** Names each player who joins, before any other line begins with the name. */
const introduced =
  /^(?:UUID of player (.{1,40}) is [0-9a-f-]{32,36}$|(.{1,40}?)\[(?:\/|local)[^\]]{0,80}\] logged in with entity id )/;

/**
 * Names with characters that the game does not allow. Servers before 1.19 that check no accounts let them in,
 * and lines that begin with a player called `Kicked Alex:` look like the server's.
 */
export function oddNames(): { introduces(message: string): void; begins(message: string): boolean } {
  const names = new Set<string>();
  return {
    introduces(message) {
      if (!message.startsWith("UUID of ") && !message.includes(" logged in with ")) return;
      const found = introduced.exec(message);
      const name = found?.[1] ?? found?.[2];
      if (name === undefined || plainName.test(name) || names.size >= mostNames) return;
      names.add(name);
    },
    begins: (message) => names.size > 0 && [...names].some((name) => message.startsWith(name)),
  };
}
