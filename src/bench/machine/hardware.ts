import { readdir } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import type { z } from "zod";
import type { HardwareBlock } from "../../core/report/payload-blocks.ts";
import { readLimits } from "../../linux/cgroup.ts";
import { readMachineMemory } from "../../linux/memory.ts";
import { headOrNull, readOrNull, thisMachine, wholeNumber, type MachineRoot } from "../../linux/proc.ts";
import { diskTypeOf } from "./disk-type.ts";
import { readProcessors } from "./processors.ts";
import { nullIfClosed } from "../../core/failure-code.ts";

/** Enough of `/proc/cpuinfo` for the first processor. */
const cpuInfoBytes = 64 * 1024;
const gib = 1024 ** 3;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Null if the kernel does not tell. */
async function countCores(root: MachineRoot): Promise<{ cores: number | null; threads: number | null }> {
  const folder = join(root, "sys", "devices", "system", "cpu");
  const names = ((await readdir(folder).catch(nullIfClosed)) ?? []).filter((name) =>
    /^cpu\d{1,4}$/.test(name),
  );
  const ids = await Promise.all(
    names.map(async (name) => {
      const topology = join(folder, name, "topology");
      const [pack, core] = await Promise.all([
        readOrNull(join(topology, "physical_package_id")),
        readOrNull(join(topology, "core_id")),
      ]);
      // A processor that is offline has no topology.
      return core === null ? [] : [`${pack?.trim()} ${core.trim()}`];
    }),
  );
  const online = ids.flat();
  return { cores: new Set(online).size || null, threads: online.length || null };
}

/** The highest possible clock, else the one in cpuinfo, GHz. */
async function readFrequency(root: MachineRoot, cpuInfo: string): Promise<number | null> {
  const path = join(root, "sys", "devices", "system", "cpu", "cpu0", "cpufreq", "cpuinfo_max_freq");
  const khz = wholeNumber((await readOrNull(path))?.trim());
  if (khz !== null && khz > 0) return round(khz / 1e6);
  const mhz = Number(/^cpu MHz\s*: (\d{1,6}(?:\.\d{1,6})?)$/m.exec(cpuInfo)?.[1]);
  return mhz > 0 ? round(mhz / 1000) : null;
}

const orNull = (value: number | null, min: number, max: number): number | null =>
  value !== null && value >= min && value <= max ? value : null;

/** `folder`: the folder whose disk is described. */
export async function readHardware(
  folder: string,
  root: MachineRoot = thisMachine,
  pid = process.pid,
): Promise<z.input<typeof HardwareBlock>> {
  const cpuInfo = (await headOrNull(join(root, "proc", "cpuinfo"), cpuInfoBytes)) ?? "";
  const [counted, frequency, processors, limits, memory, diskType] = await Promise.all([
    countCores(root),
    readFrequency(root, cpuInfo),
    readProcessors(root, pid),
    readLimits(root, pid),
    readMachineMemory(root),
    diskTypeOf(folder, root),
  ]);
  const name = (/^model name\s*: (.{1,200})$/m.exec(cpuInfo)?.[1] ?? cpus()[0]?.model ?? "").trim();
  const { memoryBytes } = limits;
  const isLimit = memoryBytes !== null && memoryBytes < (memory?.totalBytes ?? Number.POSITIVE_INFINITY);
  return {
    cpu_name: name === "" || name === "unknown" ? null : name.replaceAll(/\s+/g, " ").slice(0, 120),
    cpu_cores: orNull(counted.cores, 1, 4096),
    cpu_threads: orNull(counted.threads ?? cpus().length, 1, 4096),
    available_processors: orNull(processors.available, 1, 4096),
    cpu_quota_cores: processors.quotaCores === null ? null : orNull(round(processors.quotaCores), 0.01, 4096),
    cpu_frequency_ghz: orNull(frequency, 0.1, 15),
    ram_gb: memory === null ? null : orNull(round(memory.totalBytes / gib), 0.1, 65_536),
    memory_limit_gb: isLimit ? orNull(round(memoryBytes / gib), 0.1, 65_536) : null,
    disk_type: diskType,
  };
}
