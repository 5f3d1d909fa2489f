import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, whether this runs from the sources or from what was built of them. */
export const projectFolder: string = nearestManifest(dirname(fileURLToPath(import.meta.url)));

/** The version in package.json. */
export const projectVersion: string = versionIn(join(projectFolder, "package.json"));

/** The path of a file that the build made. Sources that a test runner loads find it there too. */
export const builtFile = (name: string): string => join(projectFolder, "dist", name);

const isBuilt = fileURLToPath(import.meta.url).startsWith(builtFile(""));

/** What the build wrote into a JSON file; null where this runs from the sources. */
export const builtJson = (name: string): unknown =>
  isBuilt ? (JSON.parse(readFileSync(builtFile(name), "utf8")) as unknown) : null;

function nearestManifest(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  if (above === folder)
    throw new Error("No package.json above the program: it was moved out of its project.");
  return nearestManifest(above);
}

function versionIn(path: string): string {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const known = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return known && typeof manifest.version === "string" ? manifest.version : "0.0.0";
}
