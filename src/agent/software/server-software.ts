import { parsedJson } from "../../core/parsed-json.ts";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { SoftwareInventory } from "../../core/software/inventory.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { factOf } from "../sources/log-facts.ts";
import { parseLine } from "../sources/log-line.ts";
import { isBehindLink } from "./behind-link.ts";
import { plainBytes } from "../files/plain-file.ts";
import { headOrNull } from "../../linux/proc.ts";
import { sentTextOrNull } from "./sent-text.ts";
import { nullIfClosed } from "../../core/failure-code.ts";

/** Files and folders that show a server's family; forks come before their origin. */
const families: readonly (readonly [path: string, type: string])[] = [
  ["nukkit.yml", "nukkit"],
  ["pnx.yml", "powernukkitx"],
  ["pocketmine.yml", "pocketmine"],
  ["bedrock_server", "bedrock"],
  ["velocity.toml", "velocity"],
  ["waterfall.yml", "waterfall"],
  ["purpur.yml", "purpur"],
  ["config/paper-global.yml", "paper"],
  ["paper.yml", "paper"],
  ["spigot.yml", "spigot"],
  ["bukkit.yml", "craftbukkit"],
  ["libraries/net/neoforged/neoforge", "neoforge"],
  ["libraries/net/minecraftforge/forge", "forge"],
  [".quilt", "quilt"],
  [".fabric", "fabric"],
];

/** Forge and NeoForge put each version into a folder of its own. */
const loaderFolders: Readonly<Record<string, string>> = {
  forge: "libraries/net/minecraftforge/forge",
  neoforge: "libraries/net/neoforged/neoforge",
};

const longest = 64;

type ServerSoftware = SoftwareInventory["server"];

/** What the files and the log show; links found on the way are added to `unread`. */
export async function readServerSoftware(
  install: Pick<ServerInstall, "directory" | "log">,
  unread: string[],
): Promise<ServerSoftware> {
  const { directory } = install;
  const [type, logged, paper] = await Promise.all([
    familyOf(directory, unread),
    startInLog(install, unread),
    paperVersion(directory, unread),
  ]);
  const build = paper?.build ?? (await loaderVersion(directory, type, unread));
  return {
    type: logged?.proxy?.toLowerCase() ?? type,
    name: sentTextOrNull(logged?.proxy ?? paper?.name, longest),
    version: sentTextOrNull(logged?.version ?? paper?.version, longest),
    build: sentTextOrNull(build, longest),
  };
}

/** The first path that exists decides. Null if a fork's path may be behind a link. */
async function familyOf(directory: string, unread: string[]): Promise<string | null> {
  for (const [path, type] of families) {
    const folder = dirname(path);
    if (folder !== "." && (await isBehindLink(directory, folder, unread))) return null;
    if ((await lstat(join(directory, path)).catch(nullIfClosed)) !== null) return type;
  }
  return null;
}

/** A log begins with the server's start; large modpacks write less than this before it, bytes. */
const headOfLog = 512 * 1024;

/** A log outside the server's folder was named by its owner, so it may be behind a link. */
async function startInLog(
  { directory, log }: Pick<ServerInstall, "directory" | "log">,
  unread: string[],
): Promise<{ readonly version: string; readonly proxy?: string } | null> {
  const path = relative(directory, log);
  if (!path.startsWith("../") && (await isBehindLink(directory, path, unread))) return null;
  const lines = ((await headOrNull(log, headOfLog)) ?? "").split("\n");
  for (const line of lines.toReversed()) {
    const parsed = parseLine(line.trimEnd());
    const fact = parsed && factOf(parsed);
    if (fact?.is === "starting") return fact;
  }
  return null;
}

const History = z.object({ currentVersion: z.string() });
/** `git-Purpur-2062 (MC: 1.20.1)`, and since 1.21 `1.21.4-147-main@1a2b3c4 (MC: 1.21.4)`. */
const named = /^git-([\w]{1,40})-/;
const game = /\(MC: ([\w. -]{1,40})\)/;
/** The file is a line, bytes. */
const largestHistory = 16 * 1024;

/** Paper and its forks note their build there. */
export const versionHistory = "version_history.json";

async function paperVersion(directory: string, unread: string[]) {
  if (await isBehindLink(directory, versionHistory, unread)) return null;
  const bytes = await plainBytes(join(directory, versionHistory), largestHistory);
  const { data } = History.safeParse(parsedJson(bytes?.toString("utf8") ?? ""));
  if (data === undefined) return null;
  const text = data.currentVersion.slice(0, 200);
  return {
    build: text.split(" (", 1)[0] ?? null,
    name: named.exec(text)?.[1] ?? null,
    version: game.exec(text)?.[1] ?? null,
  };
}

/** Null if several versions lie there, because nothing shows which one is used. */
async function loaderVersion(
  directory: string,
  type: string | null,
  unread: string[],
): Promise<string | null> {
  const folder = loaderFolders[type ?? ""];
  if (folder === undefined || (await isBehindLink(directory, folder, unread))) return null;
  const versions = (await readdir(join(directory, folder)).catch(nullIfClosed)) ?? [];
  return versions.length === 1 ? (versions[0] ?? null) : null;
}
