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
import { markOfFile } from "./plain-file.ts";
import { sentText, sentTextOrNull } from "./sent-text.ts";
import { failureCode, isPassing } from "../../core/failure-code.ts";

/** A folder with more entries is not one of plugins or mods. */
const mostFiles = 20_000;

/** The folders of plugins and of mods, with the descriptors that count there. */
export const installedFolders = { plugins: pluginDescriptors, mods: modDescriptors } as const;
export type InstalledFolder = keyof typeof installedFolders;

/** The end of the name of a file that panels and launchers switched off. */
const disabledEnd = ".jar.disabled";

/** The names of the jars in a folder, sorted; none where there is no folder, null where it cannot be read or is a link. */
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

/** What was read of each jar, by its path, with the mark of the file that was read. */
export type KnownJars = Map<string, { readonly mark: string; readonly installed: Installed }>;

/** How jars are read: those that are known and did not change are not read again; the signal ends the reading. */
export interface JarReading {
  readonly known?: KnownJars;
  /** Takes the paths of what could not be opened or read this time, and of links. */
  readonly unread?: string[];
  readonly signal?: AbortSignal;
}

/**
 * The plugins or mods in a folder, one a jar. A jar that cannot be opened or read stays as it was read before; what
 * is no jar, or was never read, stands there by its file's name without a version. Null where the folder cannot be
 * read, is a link, or has more jars than an inventory.
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

/** What the jar says of itself; null if it could not be opened or read. */
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

/** What build tools put in the place of `${version}`; where they did not, the version is not known. */
const placeholder = /^(?:\$\{|@[A-Z])/;
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
