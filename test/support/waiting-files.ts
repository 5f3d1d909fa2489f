import { relative, sep } from "node:path";

/** Folders whose tests start programs of their own, and mostly wait for them. */
const folders = new Set([
  "agent",
  "browser",
  "cli",
  "conformance",
  "demo",
  "game",
  "machine",
  "operations",
  "scenarios",
]);

/** Whether the tests of a file, by its path, start programs and wait for them. */
export const waitsForPrograms = (path: string): boolean =>
  folders.has(relative("test", path).split(sep)[0] ?? "");
