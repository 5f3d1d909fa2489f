import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import { minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { openPlain, plainBytes } from "../files/plain-file.ts";
import type { MachineRoot } from "../../linux/proc.ts";
import { containerEnd } from "./docker-state.ts";
import { fatalErrorHeadBytes, fatalErrorIn } from "./jvm-error-file.ts";
import { parsePerfFile } from "./perf-counters.ts";
import { ownedFile, stateOfJvmFiles, type LeftFiles } from "./left-files.ts";

/** What shows how a process ended, other than its log. */
export type EndWitness =
  | { readonly is: "jvm_crashed"; readonly what: string; readonly file: string | null }
  | { readonly is: "out_of_memory"; readonly what: string; readonly file: string | null }
  | { readonly is: "killed"; readonly by: "kernel for memory" | "signal" }
  | { readonly is: "crashed"; readonly what: string | null; readonly file: string }
  | { readonly is: "exited"; readonly status: number }
  /** It exited by itself; neither its log nor its supervisor says why. */
  | { readonly is: "orderly" };

export interface EndedProcess {
  readonly left: LeftFiles;
  readonly container: string | null;
  readonly startedAt: Instant | null;
  readonly lastSeenAt: Instant;
  readonly killedForMemory: boolean;
}

/** The size of the counters is 32 KiB unless an option sets another, bytes. */
const largestCounters = 1024 * 1024;
/** The clock of a file system is read in steps, ms. */
const fileClockMs = 2 * secondMs;
/** A heap dump this long before the end, or a crash report, belongs to it, ms. */
const dumpWithinMs = 5 * minuteMs;
const reportWithinMs = 2 * minuteMs;

/** Null if nothing tells how it ended. */
export async function witnessOf(root: MachineRoot, ended: EndedProcess): Promise<EndWitness | null> {
  const { left, container, lastSeenAt, killedForMemory } = ended;
  const startedAt = ended.startedAt ?? Number.NEGATIVE_INFINITY;
  const fatal = await fatalErrorOf(left, startedAt - fileClockMs);
  if (fatal) return fatal;
  if (killedForMemory) return { is: "killed", by: "kernel for memory" };
  const dump = await newestOf(
    left.heap_dumps,
    left,
    Math.max(startedAt - fileClockMs, lastSeenAt - dumpWithinMs),
  );
  if (dump !== null) return { is: "out_of_memory", what: "its heap was full", file: basename(dump) };
  const report = await crashReportOf(left, Math.max(startedAt, lastSeenAt - reportWithinMs));
  if (report) return report;
  const contained = container === null ? null : await containerEnd(root, container);
  if (contained) return byExitCode(contained);
  const files = await stateOfJvmFiles(left, lastSeenAt);
  if (files === null) return null;
  if (files === "removed") return { is: "orderly" };
  if (!left.exits_without_memory) return { is: "killed", by: "signal" };
  // With that option a full heap ends the JVM in the same way as a signal.
  return (await wasFull(left)) ? { is: "out_of_memory", what: "its heap was full", file: null } : null;
}

const byExitCode = ({
  exitCode,
  forMemory,
}: {
  readonly exitCode: number;
  readonly forMemory: boolean;
}): EndWitness => {
  if (forMemory) return { is: "killed", by: "kernel for memory" };
  switch (exitCode) {
    case 137:
      return { is: "killed", by: "signal" };
    case 139:
      return { is: "jvm_crashed", what: "SIGSEGV", file: null };
    case 134:
      return { is: "jvm_crashed", what: "SIGABRT", file: null };
    case 0:
    case 130:
    case 143:
      return { is: "orderly" };
    default:
      return { is: "exited", status: exitCode };
  }
};

async function fatalErrorOf(left: LeftFiles, from: Instant): Promise<EndWitness | null> {
  const path = await newestOf(left.error_files, left, from);
  if (path === null) return null;
  const fatal = fatalErrorIn((await headOf(path)) ?? "");
  if (fatal === null) return null;
  return { is: fatal.forMemory ? "out_of_memory" : "jvm_crashed", what: fatal.what, file: basename(path) };
}

/** The first of these files that was written since then; null for none. */
async function newestOf(paths: readonly string[], { uid }: LeftFiles, from: Instant): Promise<string | null> {
  for (const path of paths) {
    const found = await ownedFile(path, uid);
    if (found !== null && found.writtenAt >= from) return path;
  }
  return null;
}

/** Files of the game; other mods use other words. */
const reportName = /^crash-[\w.-]{1,90}\.txt$/;
const description = "Description: ";

async function crashReportOf(left: LeftFiles, from: Instant): Promise<EndWitness | null> {
  const names = (await readdir(left.crash_reports).catch(nullIfClosed)) ?? [];
  const newest = names
    .filter((name) => reportName.test(name))
    .toSorted()
    .slice(-3);
  const path = await newestOf(
    newest.toReversed().map((name) => join(left.crash_reports, name)),
    left,
    from,
  );
  if (path === null) return null;
  const lines = ((await headOf(path)) ?? "").split("\n");
  const what = lines
    .find((line) => line.startsWith(description))
    ?.slice(description.length, 200)
    .trim();
  return { is: "crashed", what: what || null, file: basename(path) };
}

/** Used part of the old generation from which on a JVM gives up, as its last counters say. */
const fullShare = 0.9;

async function wasFull({ jvm_files: paths, uid }: LeftFiles): Promise<boolean> {
  for (const path of paths) {
    if (basename(path).startsWith(".") || (await ownedFile(path, uid)) === null) continue;
    const counters = parsePerfFile((await plainBytes(path, largestCounters)) ?? new Uint8Array());
    const used = counters?.get("sun.gc.generation.1.space.0.used");
    const most = counters?.get("sun.gc.generation.1.maxCapacity");
    if (typeof used === "number" && typeof most === "number" && used >= fullShare * most) return true;
  }
  return false;
}

async function headOf(path: string): Promise<string | null> {
  const file = await openPlain(path).catch(nullIfClosed);
  if (file === null) return null;
  try {
    const bytes = Buffer.alloc(Math.min(file.size, fatalErrorHeadBytes));
    const { bytesRead } = await file.handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.handle.close();
  }
}
