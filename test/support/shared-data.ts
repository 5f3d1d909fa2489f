import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const shared = new URL("../../../shared/", import.meta.url);

/**
 * The path of a file that is kept beside the repository, or null where it is not at hand: then the test that needs it is
 * skipped, and this says so. Where CI runs with that folder, a missing file is a failure.
 */
export function sharedFile(name: string): string | null {
  const path = fileURLToPath(new URL(name, shared));
  if (existsSync(path)) return path;
  if (process.env["CI"] && existsSync(shared)) throw new Error(`${path} is missing.`);
  console.warn(`*** SKIPPED: there is no ${path}: the test that needs it does not run ***`);
  return null;
}

/** The path of recorded data, as `sharedFile`. */
export const sharedData = (name: string): string | null => sharedFile(`data/${name}`);
