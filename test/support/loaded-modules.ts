import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The addresses of the modules in a file that a process loaded: the sources of a built file, else the file itself. */
export function modulesIn(url: string): string[] {
  const map = url.startsWith("file:") ? `${fileURLToPath(url)}.map` : "";
  if (!url.includes("/dist/") || !existsSync(map)) return [url];
  const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
  return sources.map((source) => new URL(source, url).href);
}
