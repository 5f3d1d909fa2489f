import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { failureCode, nullIfClosed } from "../../core/failure-code.ts";
import { secondMs } from "../../core/time.ts";
import { parsePerfFile, type PerfCounters } from "./perf-counters.ts";
import type { ServerProcess } from "../install/server-install.ts";
import { procPath, readProcStatus, startOf, type MachineRoot } from "../../linux/proc.ts";

const folderName = "hsperfdata_";

/** The size is 32 KiB unless a JVM option sets another, bytes. */
const largestFile = 1024 * 1024;

/** Null if the JVM shares no counters (`-XX:+PerfDisableSharedMem`) or this user may not read them. */
export async function readPerfFile(root: MachineRoot, server: ServerProcess): Promise<PerfCounters | null> {
  const status = await readProcStatus(root, server.pid);
  if (status?.uid === null || status === null) return null;
  const temporary = procPath(root, server.pid, "root", "tmp");
  const names = (await readdir(temporary).catch(nullIfClosed)) ?? [];
  const inner = String(status.innerPid ?? server.pid);
  for (const name of names.filter((each) => each.startsWith(folderName))) {
    const bytes = await ownFile(`${temporary}/${name}/${inner}`, status.uid);
    const counters = bytes === null ? null : parsePerfFile(bytes);
    if (counters !== null && (await isOf(root, server, counters))) return counters;
  }
  return null;
}

/** A JVM begins this soon after its process, ms, even if the clock is set a little meanwhile. */
const beginsWithinMs = 60 * secondMs;

/** A file left by an earlier process with the same pid has another start time. */
async function isOf(root: MachineRoot, server: ServerProcess, counters: PerfCounters): Promise<boolean> {
  const began = counters.get("sun.rt.createVmBeginTime");
  const started = await startOf(root, server);
  return typeof began === "number" && started !== null && Math.abs(began - started) < beginsWithinMs;
}

/** A JVM writes no link, socket or pipe. */
const nullIfForeign = (error: unknown): null =>
  ["ELOOP", "ENXIO", "EISDIR"].includes(failureCode(error) ?? "") ? null : nullIfClosed(error);

/** Anybody may write to /tmp, so only a plain file of the JVM's own user is trusted. */
async function ownFile(path: string, uid: number): Promise<Uint8Array | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfForeign);
  if (file === null) return null;
  try {
    const about = await file.stat();
    if (!about.isFile() || about.uid !== uid || about.size > largestFile) return null;
    return await file.readFile();
  } finally {
    await file.close();
  }
}
