import { join } from "node:path";
import { installedFolders, jarNames, type InstalledFolder } from "./installed.ts";
import { markOfFile } from "./plain-file.ts";
import { watchedFiles } from "./settings.ts";

/** Paper and its forks note their build there. */
const history = "version_history.json";

/** The files of which an inventory is made, each with its size and its time of change: equal marks, equal files. */
export async function folderMark(directory: string): Promise<string> {
  const folders = Object.keys(installedFolders) as InstalledFolder[];
  const jars = await Promise.all(
    folders.map(async (folder) =>
      ((await jarNames(directory, folder)) ?? []).map((name) => join(folder, name)),
    ),
  );
  const paths = [...jars.flat(), ...watchedFiles, history];
  const marks: string[] = [];
  // One after another, so that a thousand jars do not fill the threads that other readings wait for.
  for (const path of paths) marks.push(`${path} ${await markOfFile(join(directory, path))}`);
  return marks.join("\n");
}
