import { opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as eventLoop } from "node:timers/promises";
import { longestInstalledText, mostInstalled, type Installed } from "../../core/software/inventory.ts";
import {
  manifestName,
  manifestVersion,
  modDescriptors,
  pluginDescriptors,
  type Described,
} from "./descriptors.ts";
import { UnreadFile, withJar, type Jar } from "./jar.ts";
import { isBehindLink } from "./behind-link.ts";
import { markOfFile } from "../files/plain-file.ts";
import { sentText, sentTextOrNull } from "./sent-text.ts";
import { failureCode, isPassing } from "../../core/failure-code.ts";

/** A folder with more entries is not one of plugins or mods. */
const mostFiles = 20_000;

export const installedFolders = { plugins: pluginDescriptors, mods: modDescriptors } as const;
export type InstalledFolder = keyof typeof installedFolders;

/** The suffix with which panels and launchers switch a jar off. */
const disabledEnd = ".jar.disabled";

/** Sorted; empty if there is no folder, null if it is a link, cannot be read or has too many entries. */
export async function jarNames(
  directory: string,
  folder: InstalledFolder,
  unread?: string[],
): Promise<string[] | null> {
  if (await isBehindLink(directory, folder, unread)) return null;
  const names: string[] = [];
  try {
    let seen = 0;
    for await (const { name } of await opendir(join(directory, folder))) {
      seen += 1;
      if (seen > mostFiles) return null;
      const lower = name.toLowerCase();
      if (!name.startsWith(".") && (lower.endsWith(".jar") || lower.endsWith(disabledEnd))) names.push(name);
    }
  } catch (error) {
    if (isPassing(error)) throw error;
    return failureCode(error) === "ENOENT" ? [] : null;
  }
  return names.sort();
}

/** The readings of jars by path, with the mark of the file that was read. */
export type KnownJars = Map<string, { readonly mark: string; readonly installed: Installed }>;

/** Known jars that did not change are not read again. */
export interface JarReading {
  readonly known?: KnownJars;
  /** Gets the paths of links, and of jars that could not be read this time. */
  readonly unread?: string[];
  readonly signal?: AbortSignal;
}

/**
 * A jar that cannot be read keeps its last reading; without one, or if it is no jar, it has its file's name
 * and no version. Null if the folder cannot be read, is a link or has too many jars.
 */
export async function readInstalled(
  directory: string,
  folder: InstalledFolder,
  { known = new Map(), unread = [], signal }: JarReading = {},
): Promise<Installed[] | null> {
  const names = await jarNames(directory, folder, unread);
  if (names === null || names.length > mostInstalled) return null;
  const paths = new Map(names.map((name) => [join(directory, folder, name), name]));
  for (const path of known.keys())
    if (dirname(path) === join(directory, folder) && !paths.has(path)) known.delete(path);
  const found: Installed[] = [];
  for (const [path, name] of paths) {
    signal?.throwIfAborted();
    const mark = await markOfFile(path);
    const before = known.get(path);
    if (mark !== null && before?.mark === mark) found.push(before.installed);
    else {
      const installed = await installedIn(path, name, installedFolders[folder]);
      if (installed === null) unread.push(path);
      else if (mark !== null) known.set(path, { mark, installed });
      found.push(installed ?? before?.installed ?? installedAs(name, null));
    }
    await eventLoop();
  }
  return found;
}

type Descriptors = (typeof installedFolders)[InstalledFolder];

/** Null if the jar could not be opened or read. */
async function installedIn(path: string, file: string, descriptors: Descriptors): Promise<Installed | null> {
  const wanted = new Set([...descriptors.keys(), manifestName]);
  try {
    return installedAs(file, await withJar(path, wanted, (jar) => describedBy(jar, descriptors)));
  } catch (error) {
    return error instanceof UnreadFile ? null : installedAs(file, null);
  }
}

const installedAs = (file: string, described: Described | null): Installed => ({
  name: sentTextOrNull(described?.name, longestInstalledText) ?? sentText(file, longestInstalledText),
  version: sentTextOrNull(described?.version, longestInstalledText),
  enabled: !file.toLowerCase().endsWith(disabledEnd),
});

/** A placeholder such as `${version}` or `@version@` that no build tool replaced: the version is not known. */
const placeholder = /^(?:[$%{]|@[A-Z])|\$\{|\{\{|@[\w.-]{1,60}@|%[\w.-]{1,60}%/;
const versionOfJar = "${file.jarVersion}";

/** The first descriptor that gives a name counts. */
async function describedBy(jar: Jar, descriptors: Descriptors): Promise<Described | null> {
  for (const [name, read] of descriptors) {
    if (!jar.has(name)) continue;
    const described = read((await jar.read(name)).toString("utf8"));
    if (described.name === null) continue;
    const { version } = described;
    if (version === versionOfJar) return { ...described, version: await versionInManifest(jar) };
    return version !== null && placeholder.test(version) ? { ...described, version: null } : described;
  }
  return null;
}

const versionInManifest = async (jar: Jar): Promise<string | null> =>
  jar.has(manifestName) ? manifestVersion((await jar.read(manifestName)).toString("utf8")) : null;
