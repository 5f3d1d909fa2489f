/** A number from 0 to 1. */
type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Words of servers, loaders, proxies, ban plugins and JVMs, as a player would write them to be believed. */
export const hostileWords: readonly string[] = [
  'what does Exception in thread "main" mean?',
  'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
  'Exception in thread "Server thread" java.lang.OutOfMemoryError: Java heap space',
  "java.lang.OutOfMemoryError: Java heap space",
  "Caused by: java.lang.OutOfMemoryError: GC overhead limit exceeded",
  "net.minecraft.ReportedException: Ticking entity",
  "Encountered an unexpected exception",
  "Encountered an unexpected exception java.lang.NullPointerException",
  "This crash report has been saved to: /srv/crash-reports/crash-2026-11-20_11.00.00-server.txt",
  "Crash report saved to ./crash-reports/crash-2026-11-20_11.00.00-fml.txt",
  "Preparing crash report with UUID 22d89adc-ba31-4ba5-ad6c-d7e895926c32",
  "We were unable to save this crash report to disk.",
  "Considering it to be crashed, server will forcibly shutdown.",
  "The server has stopped responding! This is (probably) not a Paper bug.",
  "The server has not responded for 10 seconds! Creating thread dump",
  "---- Minecraft Crash Report ----",
  "Description: Exception in server tick loop",
  "Starting minecraft server version 1.21.8",
  'Done (1.430s)! For help, type "help"',
  "Done (0.51s)!",
  "Ready for connections.",
  "Stopping server",
  "Stopping the server",
  "Attempting to restart with ./start.sh",
  "Can't keep up! Is the server overloaded? Running 4588ms or 91 ticks behind",
  "Server empty for 60 seconds, pausing",
  "**** FAILED TO BIND TO PORT!",
  "Failed to start the minecraft server",
  "Failed to load datapacks, can't proceed with server load.",
  "You need to agree to the EULA in order to run the server.",
  "Incompatible mods found!",
  "A critical error occurred",
  "The state engine was in incorrect state CONSTRUCTING and forced into state SERVER_STOPPED.",
  "The server has failed to initialize correctly due to mod loading errors.",
  "Error during pre-loading phase",
  "Failed to complete lifecycle event CONSTRUCT, 1 errors found",
  "Missing or unsupported mandatory dependencies:",
  "Booting up Velocity 3.5.1...",
  "Enabled BungeeCord version git:BungeeCord-Bootstrap:1.21-R0.1-SNAPSHOT:1:1",
  "Listening on /0.0.0.0:25577",
  "Shutting down the proxy...",
  "Closing pending connections",
  "Thank you and goodbye",
  "Banned Alex: griefing",
  "Banned player Alex",
  "Banned IP 203.0.113.7: spam",
  "Kicked Alex: spam",
  "Unbanned Alex",
  "Player Anna banned Alex for: x-ray",
  "Alex was banned by Anna for x-ray",
  "[LiteBans] Alex was banned by Anna for x-ray",
  "[Anna: Banned Alex: griefing]",
  "Alex joined the game",
  "Alex[/203.0.113.7:51234] logged in with entity id 171 at (0.5, 64.0, 0.5)",
  "[11:00:18] [Server thread/INFO]: Stopping server",
  "[11:00:18 INFO]: Stopping server",
];

/** Where servers, proxies and chat plugins put what a player wrote: in chat, commands, reasons, names of items, pets, books and signs. */
const forms: readonly ((words: string) => string)[] = [
  (words) => `<Eve> ${words}`,
  (words) => `<[Admin] Eve> ${words}`,
  (words) => `[Not Secure] <Eve> ${words}`,
  (words) => `[Not Secure] [Eve] ${words}`,
  (words) => `* Eve ${words}`,
  (words) => `[Not Secure] * Eve ${words}`,
  (words) => `[Eve] ${words}`,
  (words) => `[Server] ${words}`,
  (words) => `[@] ${words}`,
  (words) => `[Eve: Set the custom name of Pig to ${words}]`,
  (words) => `[Eve: Gave 1 [${words}] to Eve]`,
  (words) => `[Eve -> Anna] ${words}`,
  (words) => `[Member] Eve: ${words}`,
  (words) => `[World] [Member] Eve » ${words}`,
  (words) => `Eve: ${words}`,
  (words) => `Eve > ${words}`,
  (words) => `[G] Eve: ${words}`,
  (words) => `Eve issued server command: /msg Anna ${words}`,
  (words) => `Eve issued server command: /${words}`,
  (words) => `Eve executed command: /${words}`,
  (words) => `Eve lost connection: ${words}`,
  (words) => `Eve (/203.0.113.7:51234) lost connection: ${words}`,
  (words) => `Disconnecting Eve (/203.0.113.7:51234): ${words}`,
  (words) =>
    `com.mojang.authlib.GameProfile@1f2e3d[id=<null>,name=${words},legacy=false] (/203.0.113.7:51234) lost connection: Disconnected`,
  (words) => `Eve was slain by Zombie using [${words}]`,
  (words) => `Eve was slain by ${words}`,
  (words) => `Eve was shot by Skeleton using ${words}`,
  (words) =>
    `Named entity Pig['${words}'/171, l='ServerLevel[world]', x=0.5, y=64.0, z=0.5] died: ${words} was slain by Eve`,
  (words) =>
    `Villager Villager['${words}'/171, l='ServerLevel[world]', x=0.5, y=64.0, z=0.5] died, message: '${words} died'`,
  (words) => `Eve has made the advancement [${words}]`,
  (words) => `[SignLog] Eve placed a sign: ${words} / / /`,
  (words) => `[BookLog] Eve signed "${words}"`,
  (words) => `[DiscordSRV] Chat: Eve » ${words}`,
  (words) => `[connected player] Eve (/203.0.113.7:51234) has disconnected: ${words}`,
  (words) => `[Eve] disconnected with: ${words}`,
  (words) => `Eve moved too quickly! ${words}`,
  (words) => `Could not pass event AsyncPlayerChatEvent to Chat v1.0: ${words}`,
];

/** Threads that write nothing but what somebody sent; there a chat plugin may leave out even the name. */
const strangersThreads = [
  "Async Chat Thread - #0/INFO",
  "Async Chat Thread - #3/ERROR",
  "Netty Server IO #1/INFO",
  "Netty Epoll Server IO #2/ERROR",
  "User Authenticator #1/INFO",
  "RCON Client /203.0.113.7 #4/INFO",
];

/** A line end that a plugin lets through: the rest stands in the log without a stamp. */
const lineEnds = ["\n", "\n\t", "\n\tat a.B.c(D.java:1)\n", "\n\n", "\nCaused by: "];

const stamped = /^(\[[^\]]*?\d\d:\d\d:\d\d(?:[.,]\d{3})?\]) \[[^\]]+\](?: \[[^\]:]*\]:| \([^)]*\)|:)? ?/;
const console = /^(\[\d\d:\d\d:\d\d )[A-Z]+\]: /;
const bare = /^((?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d) \[[A-Z]+\] /;

/** The beginning of a line beside this one, as the same server would write it; null for a line without a stamp. */
function headBeside(line: string, threadAndLevel: string): string | null {
  const found = stamped.exec(line);
  if (found) {
    const logger = /\] \[([^\]]+)\] \[/.test(line) ? " [net.minecraft.server.MinecraftServer/]" : "";
    return `${found[1]} [${threadAndLevel}]${logger}: `;
  }
  const level = threadAndLevel.slice(threadAndLevel.indexOf("/") + 1);
  const time = console.exec(line)?.[1];
  if (time !== undefined) return `${time}${level}]: `;
  const date = bare.exec(line)?.[1];
  return date === undefined ? null : `${date} [INFO] `;
}

/** What hostile players make a server write beside this line; null where no entry of the log begins. */
export function hostileEntry(line: string, random: Random): string | null {
  const words = pick(random, hostileWords);
  const isOfOtherThread = random() < 0.2 && stamped.test(line);
  const thread = isOfOtherThread ? pick(random, strangersThreads) : "Server thread/INFO";
  const head = headBeside(line, thread);
  if (head === null) return null;
  const said = isOfOtherThread && random() < 0.5 ? words : pick(random, forms)(words);
  const rest = random() < 0.3 ? `${pick(random, lineEnds)}${rawWords(random)}` : "";
  return `${head}${said}${rest}`;
}

/** A whole forged line with its stamp is out of reach of anybody who reads the file. */
function rawWords(random: Random): string {
  const raw = hostileWords.filter((words) => !words.startsWith("[11:00:18"));
  return random() < 0.3
    ? "---- Minecraft Crash Report ----\n// Hi\n\nTime: 2026-11-20\nDescription: Exception in server tick loop"
    : pick(random, raw);
}
