import type { LogLine } from "./log-line.ts";

/** Threads of the game, its mod loader and a proxy; connections, chat, consoles and plugins write in others. */
const ownThread =
  /^(?:Server thread|main|ServerMain|(?:Server )?Shutdown Thread|RegionShutdownThread|Region Scheduler Thread #\d{1,4}|[\w ]{0,20}Watchdog(?: Thread)?|modloading-worker-\d{1,4}|Worker-Main-\d{1,4}|Netty Boss IO Thread #\d{1,4}|Thread-\d{1,6})$/;

/** Loggers of the same, whole or with shortened packages; a mod that shows chat of elsewhere writes under its own name. */
const ownLogger =
  /^(?:net\.minecraft|ne\.mi\.|net\.neoforged\.|ne\.ne\.|cpw\.mods\.|cp\.mo\.|com\.mojang\.|co\.mo\.|minecraft\b|Minecraft|DedicatedServer\b|FML\b|ForgeMod\b|Mohist\b|Magma\b|mojang\/|com\.velocitypowered\.|STDERR\b|STDOUT\b|$)/;

/** Threads that carry what players and strangers sent. */
const carriesStrangers =
  /Chat Thread|Netty (?!Boss)|User Authenticator|RCON Client|Query Listener|Discord|JDA/;

const banPlugin = "LiteBans|BanManager|AdvancedBan|MaxBans|Essentials|EssentialsX|CMI|LibertyBans";
/** Servers of the Bukkit family name the plugin in the threads of its own work. */
const banPluginThread = new RegExp(`^Craft (?:Async )?Scheduler Thread - \\d{1,6} - (?:${banPlugin})$`);
const banPluginLogger = new RegExp(`^(?:${banPlugin})/?$`);

/** Whether a ban plugin wrote the line, by its thread or its logger: chat is written by other ones. */
export const isOfBanPlugin = ({ thread, logger }: Origin): boolean =>
  banPluginThread.test(thread) || (logger !== null && banPluginLogger.test(logger));

type Origin = Pick<LogLine, "thread" | "logger">;

/** Whether the server itself wrote the line. Servers before 1.7, proxies and copied consoles name no thread. */
export const isOwn = ({ thread, logger }: Origin): boolean =>
  (thread === "" || ownThread.test(thread)) && (logger === null || ownLogger.test(logger));

/** Whether the line may be anything that a player or a stranger sent. */
export const isOfStrangers = ({ thread }: Origin): boolean => carriesStrangers.test(thread);

/** Before the game runs its own thread no player can be on. */
export const isBeforeTheGame = ({ thread }: Origin): boolean => thread === "main" || thread === "ServerMain";

/** The most odd names that are remembered; more of them on one server are an attack on the agent's memory. */
const mostNames = 1000;

const plainName = /^[\w.*+-]{1,40}$/;
/** The line that names each player who joins, before any other line begins with the name. */
const introduced =
  /^(?:UUID of player (.{1,40}) is [0-9a-f-]{32,36}$|(.{1,40}?)\[(?:\/|local)[^\]]{0,80}\] logged in with entity id )/;

/**
 * Names with other characters than the game allows. Servers before 1.19 that check no accounts let them in, and a player
 * called `Kicked Alex:` begins lines with the words of the server.
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
