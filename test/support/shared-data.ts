import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const shared = new URL("../../../shared/", import.meta.url);

/**
 * The path of recorded data that is kept beside the repository, or null where it is not at hand: then the test
 * is skipped, and this says so. Where CI runs with that folder, missing data is a failure.
 */
export function sharedData(name: string): string | null {
  const path = fileURLToPath(new URL(`data/${name}`, shared));
  if (existsSync(path)) return path;
  if (process.env["CI"] && existsSync(shared)) throw new Error(`${path} is missing.`);
  console.warn(`*** SKIPPED: no recorded data at ${path}: the test that needs it does not run ***`);
  return null;
}
