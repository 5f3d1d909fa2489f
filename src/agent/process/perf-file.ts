import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { failureCode, nullIfClosed } from "../../core/failure-code.ts";
import { secondMs } from "../../core/time.ts";
import { parsePerfFile, type PerfCounters } from "./perf-counters.ts";
import type { ServerProcess } from "../install/server-install.ts";
import { procPath, readProcStatus, startOf, type MachineRoot } from "../../linux/proc.ts";

const folderName = "hsperfdata_";

/** The size is 32 KiB unless an option of the JVM sets another, bytes. */
const largestFile = 1024 * 1024;

/**
 * The counters that a JVM shares in `/tmp/hsperfdata_USER/PID`; null when it keeps none (`-XX:+PerfDisableSharedMem`, which
 * many servers run with) or this user may not read them. Costs the JVM nothing.
 */
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

/** A JVM begins this soon after its process, ms; the clock may be set a little meanwhile. */
const beginsWithinMs = 60 * secondMs;

/** A file that an earlier process of the same number left behind holds another start time. */
async function isOf(root: MachineRoot, server: ServerProcess, counters: PerfCounters): Promise<boolean> {
  const began = counters.get("sun.rt.createVmBeginTime");
  const started = await startOf(root, server);
  return typeof began === "number" && started !== null && Math.abs(began - started) < beginsWithinMs;
}

/** A link, or a socket or pipe, is not what a JVM writes. */
const nullIfForeign = (error: unknown): null =>
  ["ELOOP", "ENXIO", "EISDIR"].includes(failureCode(error) ?? "") ? null : nullIfClosed(error);

/** Anybody may write to /tmp: only a plain file of the JVM's own user is believed. */
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
