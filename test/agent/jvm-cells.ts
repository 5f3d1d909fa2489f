import { mkdirSync, readFileSync, realpathSync, mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cgroupSource } from "../../src/agent/sources/cgroup.ts";
import { gcLogSource } from "../../src/agent/sources/gc-log.ts";
import { jvmSource } from "../../src/agent/sources/jvm.ts";
import { processSource } from "../../src/agent/sources/process.ts";
import { groupFolders } from "../../src/linux/cgroup.ts";
import { jcmd, jstat, startJvm, type TestJvm } from "./jvm.ts";

export const collectors = ["G1", "Parallel", "Serial", "Z", "Shenandoah"] as const;

export interface Cell {
  readonly jdk: string;
  readonly version: string;
  readonly collector: (typeof collectors)[number];
  /** Whether the JVM shares its counters, which `-XX:+PerfDisableSharedMem` switches off. */
  readonly isShared: boolean;
}

export const nameOf = ({ version, collector, isShared }: Cell): string =>
  `JDK ${version} ${collector}${isShared ? "" : " without shared counters"}`;

/** One figure of the agent beside the same from another tool; `skipped` says why there is none to compare. */
export interface Compared {
  readonly figure: string;
  readonly agent: number | null;
  readonly other: number | null;
  readonly by: string;
  /** The largest difference that is no fault: both are read one after the other, and tools round. */
  readonly within: number;
  readonly skipped?: string;
}

export const errorOf = ({ agent, other, skipped }: Compared): number | null =>
  skipped !== undefined ? null : agent === null || other === null ? Number.NaN : Math.abs(agent - other);

const never = new AbortController().signal;
const sum = (figures: ReadonlyMap<string, number>, ...columns: string[]): number =>
  columns.reduce((total, column) => total + (figures.get(column) ?? Number.NaN), 0);

/** A group of version 1 or 2 with a limit, below the one of this process; or why there is none. */
export async function limitedGroup(limitMb: number): Promise<{ folder: string; remove(): void } | string> {
  const own = await groupFolders("/", process.pid, "memory");
  const parent = own?.folders[0];
  if (own === null || parent === undefined) return "this machine has no control groups for memory";
  const folder = join(parent, `tickmark-cells-${process.pid}`);
  try {
    mkdirSync(folder);
    const file = own.isUnified ? "memory.max" : "memory.limit_in_bytes";
    writeFileSync(join(folder, file), String(limitMb * 1024 * 1024));
  } catch (error) {
    return `no control group can be made here (${error instanceof Error ? error.message : "?"})`;
  }
  return { folder, remove: () => rmdirSync(folder) };
}

/** By `smaps`, mapping for mapping, KB. */
const smapsPss = (pid: number): number =>
  [...readFileSync(`/proc/${pid}/smaps`, "utf8").matchAll(/^Pss: +(\d+) kB/gm)].reduce(
    (total, [, kb]) => total + Number(kb),
    0,
  );

const statusRss = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

/** The group's own files, read in another way than the agent does, MB. */
function groupUsedMb(folder: string): number {
  const at = (file: string): string => execFileSync("cat", [join(folder, file)], { encoding: "utf8" });
  const isUnified = !folder.includes("/memory/");
  const used = Number(at(isUnified ? "memory.current" : "memory.usage_in_bytes"));
  const line = isUnified ? /^inactive_file (\d+)$/m : /^total_inactive_file (\d+)$/m;
  return (used - Number(line.exec(at("memory.stat"))?.[1])) / 1024 / 1024;
}

/** Heap in use by the words of `GC.heap_info`, MB. */
function heapInfoMb(text: string): number {
  const outside = text.replace(/Metaspace[^]*$/, "");
  const kb = (pattern: RegExp): number =>
    [...outside.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  return (kb(/, used (\d+)K/g) + kb(/(\d+)K used/g)) / 1024 + kb(/ used (\d+)M/g) + kb(/(\d+)M used/g);
}

export async function compareCell(cell: Cell, classes: string, group: string | null): Promise<Compared[]> {
  const { jdk, collector, isShared } = cell;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tickmark-cell-")));
  const options = [`-XX:+Use${collector}GC`, `-Xlog:gc*:file=${folder}/gc.log`];
  if (!isShared) options.push("-XX:+PerfDisableSharedMem");
  const jvm = await startJvm(classes, options, {
    jdk,
    ...(group !== null && { group: join(group, "cgroup.procs") }),
  });
  try {
    return await compareJvm(cell, jvm, group);
  } finally {
    jvm.child.kill("SIGKILL");
    await once(jvm.child, "exit");
  }
}

async function compareJvm({ jdk, collector, isShared }: Cell, jvm: TestJvm, group: string | null) {
  const { pid } = jvm.server;
  const [memory, log] = [jvmSource(jvm.install), gcLogSource(jvm.install)];
  const [kernel, container] = [processSource(jvm.install), cgroupSource(jvm.install)];
  const pausedMs = async (): Promise<number> => sum(await jstat(pid, jdk), "GCT") * 1000;
  await jvm.tell("200");
  await jvm.tell("gc");
  await memory.read(0, never);
  // The JVM writes the line of a pause after its program goes on; jstat takes longer to start.
  const before = isShared ? await pausedMs() : null;
  await log.read(0, never);
  await kernel.read(0, never);
  const [cpuBefore, ticksBefore] = [await jvm.usedCpuMs(), machineTicks()];
  await jvm.tell("4000");
  await jvm.tell("gc");
  const ticks = machineTicks() - ticksBefore;
  const share = (100 * ((await jvm.usedCpuMs()) - cpuBefore)) / msPerTick / ticks;
  const { measured: process = {} } = await kernel.read(0, never);
  const after = isShared ? await pausedMs() : null;
  const { measured: told = {} } = await memory.read(0, never);
  const { measured: logged = {} } = await log.read(0, never);
  const info = heapInfoMb(await jcmd(pid, "GC.heap_info", jdk));
  const flags = await jcmd(pid, "VM.flags", jdk);
  const heap = isShared ? await jstat(pid, jdk) : null;
  await log.close();
  const { measured: limited = {} } = await container.read(0, never);
  const [pss, mapped] = [smapsPss(pid) / 1024, statusRss(pid) / 1024];
  const isZ = collector === "Z";
  const isShenandoah = collector === "Shenandoah";
  const row = (
    figure: string,
    agent: number | undefined,
    by: string,
    other: number | null,
    within: number,
  ) => ({
    figure,
    agent: agent ?? null,
    by,
    other,
    within,
  });
  const without = (figure: string, by: string, skipped: string): Compared => ({
    ...row(figure, undefined, by, null, 0),
    skipped,
  });
  const noCounters = "jstat has no counters of this JVM";
  const gcAlone = "only its GC log tells this";
  const paused = after === null || before === null ? null : after - before;
  return [
    // A page of ZGC is 2 MB, and it may collect between two readings.
    row("ram_used_mb", told.ram_used_mb ?? undefined, "jcmd GC.heap_info", info, isZ ? 8 : 2),
    row(
      "ram_max_mb",
      told.ram_max_mb ?? undefined,
      "jcmd VM.flags",
      Number(/-XX:MaxHeapSize=(\d+)/.exec(flags)?.[1]) / 1024 / 1024,
      0,
    ),
    isShenandoah
      ? without("heap_after_gc_mb", "jstat", gcAlone)
      : isZ || heap === null
        ? row(
            "heap_after_gc_mb",
            told.heap_after_gc_mb ?? undefined,
            "its GC log",
            logged.heap_after_gc_mb ?? null,
            isZ ? 4 : 1,
          )
        : row("heap_after_gc_mb", told.heap_after_gc_mb ?? undefined, "jstat", liveOf(heap), 1),
    paused === null
      ? without("gc_stw_ms", "jstat", noCounters)
      : isShenandoah
        ? without("gc_stw_ms", "jstat", gcAlone)
        : row("gc_stw_ms", told.gc_stw_ms ?? undefined, "jstat", paused, 2 + paused * 0.1),
    paused === null || isShenandoah
      ? without("gc_stw_ms (log)", "jstat", isShenandoah ? "jstat counts concurrent phases too" : noCounters)
      : row("gc_stw_ms (log)", logged.gc_stw_ms ?? undefined, "jstat", paused, 2 + paused * 0.15),
    row(
      "cpu_usage",
      process.cpu_usage ?? undefined,
      "the JVM's own count",
      share,
      (100 * ticksApart) / ticks,
    ),
    // Within a tenth of the group's use the agent takes VmRSS, which counts shared libraries whole.
    row(
      "rss_mb",
      process.rss_mb ?? undefined,
      `/proc/PID/smaps (VmRSS ${Math.round(mapped)})`,
      pss,
      Math.max(8, pss * 0.1),
    ),
    group === null
      ? without("container_used_mb", "control group", "no group with a limit")
      : row(
          "container_used_mb",
          limited.container_used_mb ?? undefined,
          "control group",
          groupUsedMb(group),
          4,
        ),
  ];
}

/** What the kernel counts in, ms; and how far two readings in a row may lie apart. */
const msPerTick = 10;
const ticksApart = 12;

const machineTicks = (): number =>
  (readFileSync("/proc/stat", "utf8").split("\n")[0] ?? "")
    .trim()
    .split(/\s+/)
    .slice(1, 9)
    .reduce((total, ticks) => total + Number(ticks), 0);

/** Survivors and the old generation, KB as MB. */
const liveOf = (heap: ReadonlyMap<string, number>): number => sum(heap, "S0U", "S1U", "OU") / 1024;
