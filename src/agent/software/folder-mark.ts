import { join } from "node:path";
import { installedFolders, jarNames, type InstalledFolder } from "./installed.ts";
import { isBehindLink } from "./behind-link.ts";
import { markOfFile } from "../files/plain-file.ts";
import { versionHistory } from "./server-software.ts";
import { watchedFiles } from "./settings.ts";

/** Sizes and times of the inventory's files: equal marks mean equal files. */
export async function folderMark(directory: string): Promise<string> {
  const folders = Object.keys(installedFolders) as InstalledFolder[];
  const jars = await Promise.all(
    folders.map(
      async (folder) => (await jarNames(directory, folder))?.map((name) => join(folder, name)) ?? [folder],
    ),
  );
  const marks: string[] = [];
  // One after another, so that a thousand jars do not fill the threads that other readings wait for.
  for (const path of jars.flat()) marks.push(`${path} ${await markOfFile(join(directory, path))}`);
  for (const path of [...watchedFiles, versionHistory]) {
    const isRead = !(await isBehindLink(directory, path));
    marks.push(`${path} ${isRead ? await markOfFile(join(directory, path)) : "link"}`);
  }
  return marks.join("\n");
}
