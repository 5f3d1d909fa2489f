import { join, resolve } from "node:path";
import { outputOf } from "../machine-baselines.ts";

/** The environment of a service whose disk takes so many ms longer for each sync. Needs gcc; throws without it. */
export function slowDisk(folder: string, syncMs: number): Readonly<Record<string, string>> {
  if (syncMs === 0) return {};
  const library = join(resolve(folder), "slow-sync.so");
  const source = "test/bench/native/slow-sync.c";
  const options = ["-shared", "-fPIC", "-O2", `-DSYNC_MS=${syncMs}`, "-o", library, source, "-ldl"];
  if (outputOf("gcc", ...options) === null) throw new Error("--sync-ms needs gcc.");
  return { LD_PRELOAD: library };
}
