import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { failureCode, nullIfAbsent, nullIfClosed } from "../../core/failure-code.ts";
import { headOrNull } from "../../linux/proc.ts";
import { yamlScalars } from "../software/yaml-scalars.ts";
import { propertiesIn } from "./find-server.ts";
import type { ServerInstall } from "./server-install.ts";

/** A folder that the game saves a world into; it may itself be a link. */
export interface WorldFolder {
  readonly name: string;
  readonly path: string;
}

export type WorldInstall = Pick<ServerInstall, "directory" | "settingsUnread">;

/** Files that every world of a family has: Minecraft's, and Cuberite's. */
const worldFiles = ["level.dat", "world.ini"];

/** A configuration is a few KB, bytes. */
const largestConfiguration = 256 * 1024;

interface Saved {
  /** The folder of the main world, which may not exist yet. */
  readonly main: string;
  /** Folders in which worlds may lie. */
  readonly parents: readonly string[];
}

/** Where the settings put worlds. Rejects if the settings cannot be read now. */
async function savedIn({ directory, settingsUnread }: WorldInstall): Promise<Saved> {
  const properties = settingsUnread === undefined ? await propertiesIn(directory) : null;
  const level = properties?.get("level-name")?.trim() || "world";
  const bukkit = await headOrNull(join(directory, "bukkit.yml"), largestConfiguration);
  const container = resolve(directory, yamlScalars(bukkit ?? "").get("settings.world-container") ?? ".");
  // Servers of the Bedrock edition have a folder of worlds.
  const shared = join(directory, "worlds");
  const isShared = (await statOrNull(join(shared, level))) !== null;
  return {
    main: isShared ? join(shared, level) : resolve(container, level),
    parents: [...new Set([container, directory, shared])],
  };
}

const statOrNull = (path: string) => stat(path).catch(nullIfAbsent);

async function isWorld(path: string): Promise<boolean> {
  for (const file of worldFiles) if ((await statOrNull(join(path, file))) !== null) return true;
  return false;
}

/** False for a folder that is closed to this user, a plugin's as far as anybody can tell, and a link to itself. */
const isOpenWorld = (path: string): Promise<boolean> =>
  isWorld(path).catch((error: unknown) => {
    if (failureCode(error) !== "ELOOP") nullIfClosed(error);
    return false;
  });

/**
 * All worlds of a server, by the names of their folders: the dimensions that Bukkit's family keeps in folders
 * of their own (`world_nether`) are worlds here, those inside a world's folder belong to it. Rejects if the
 * folder of the main world or one beside it with its name is closed.
 */
export async function worldFolders(install: WorldInstall): Promise<WorldFolder[]> {
  const { main, parents } = await savedIn(install);
  const found = new Map<string, WorldFolder>();
  const add = async (path: string): Promise<void> => {
    const { dev, ino } = await stat(path);
    const known = `${dev}:${ino}`;
    if (!found.has(known)) found.set(known, { name: basename(path), path });
  };
  if (await isWorld(main)) await add(main);
  for (const parent of parents) {
    const entries = (await readdir(parent, { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
    for (const entry of entries) {
      const path = join(parent, entry.name);
      if (path === main || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
      const isDimension = path.startsWith(`${main}_`);
      if (await (isDimension ? isWorld(path) : isOpenWorld(path))) await add(path);
    }
  }
  return [...found.values()];
}

/** The folder whose file system the worlds need: that of the main world, or where it will be made. */
export async function mainWorldFolder(install: WorldInstall): Promise<string> {
  const { main } = await savedIn(install);
  return (await statOrNull(main)) === null ? install.directory : main;
}

/** Folders that plugins, mods and panels keep backups in, below the server's. */
const backupNames = ["backups", "backup", "simplebackups"];

/** Folders of backups that exist: one that DriveBackupV2 is set to, and those with a usual name. */
export async function backupFolders({ directory }: WorldInstall): Promise<string[]> {
  const plugin = await headOrNull(
    join(directory, "plugins", "DriveBackupV2", "config.yml"),
    largestConfiguration,
  );
  const set = yamlScalars(plugin ?? "").get("local-save-directory");
  const wanted = [...(set === undefined ? [] : [set]), ...backupNames];
  const found: string[] = [];
  for (const path of wanted.map((name) => resolve(directory, name)))
    if ((await statOrNull(path))?.isDirectory() === true) found.push(path);
  return found;
}
