import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { parsePerfFile, type PerfCounters } from "./perf-counters.ts";
import type { ServerProcess } from "./place.ts";
import { procPath, readStatus, type MachineRoot } from "./proc.ts";

const folderName = "hsperfdata_";

/** 32 KiB unless a JVM was told otherwise, bytes. */
const largestFile = 1024 * 1024;

/**
 * The counters that a JVM shares in `/tmp/hsperfdata_USER/PID`; null when it keeps none (`-XX:+PerfDisableSharedMem`, which
 * many servers run with) or this user may not read them. Costs the JVM nothing.
 */
export async function readPerfFile(root: MachineRoot, server: ServerProcess): Promise<PerfCounters | null> {
  const status = await readStatus(root, server.pid);
  if (status?.uid === null || status === null) return null;
  const temporary = procPath(root, server.pid, "root", "tmp");
  const names = await readdir(temporary).catch((): string[] => []);
  const inner = String(status.innerPid ?? server.pid);
  for (const name of names.filter((each) => each.startsWith(folderName))) {
    const bytes = await ownFile(`${temporary}/${name}/${inner}`, status.uid);
    const counters = bytes === null ? null : parsePerfFile(bytes);
    if (counters !== null) return counters;
  }
  return null;
}

/** Anybody may write to /tmp: only a plain file of the JVM's own user is believed. */
async function ownFile(path: string, uid: number): Promise<Uint8Array | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
  if (file === null) return null;
  try {
    const about = await file.stat();
    if (!about.isFile() || about.uid !== uid || about.size > largestFile) return null;
    return await file.readFile();
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
