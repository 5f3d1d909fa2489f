import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file below some folders whose name ends so, as paths relative to the project. */
export function filesBelow(folders: readonly string[], ending: string): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
}

export const read = (path: string): string => readFileSync(path, "utf8");
