import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, both for the sources and for a build. */
export const projectFolder: string = nearestManifest(dirname(fileURLToPath(import.meta.url)));

export const projectVersion: string = versionIn(join(projectFolder, "package.json"));

/** Each build has a folder of its own in here (`builds.mjs`). */
const builds = join(projectFolder, "dist");

const ownPath = relative(builds, fileURLToPath(import.meta.url));
const isBuilt = !ownPath.startsWith("..");

/** The path of a file of the running build; for sources in a test runner, of the newest build. */
export const builtFile = (name: string): string =>
  join(builds, (isBuilt ? ownPath.split(sep)[0] : newestBuild()) ?? "", name);

const newestBuild = (): string =>
  (JSON.parse(readFileSync(join(builds, "build.json"), "utf8")) as { name: string }).name;

/** The content of a JSON file that the build wrote; null if this runs from the sources. */
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
