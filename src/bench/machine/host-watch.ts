import type { z } from "zod";
import type { HostBlock } from "../../core/report/payload-blocks.ts";
import { readLimits, type Throttling } from "../../linux/cgroup.ts";
import { parseMachineCpu, type MachineCpu } from "../../linux/machine-cpu.ts";
import { readMachineMemory } from "../../linux/memory.ts";
import { headOrNull, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { OtherWorkWatch } from "../other-work.ts";
import type { ProgramShare } from "./others/process-times.ts";
import { watchOtherWork } from "./others/watch-other-work.ts";
import { join } from "node:path";

/** The fields of the payload's `host` that the machine tells. */
export type HostFigures = Pick<
  NonNullable<z.input<typeof HostBlock>>,
  | "steal_percent_avg"
  | "steal_percent_max"
  | "throttled_periods"
  | "total_periods"
  | "throttled_ms"
  | "container_limit_mb"
  | "other_cpu_percent"
  | "cpu_pressure_percent"
>;

/** `atMs` counts from any fixed moment. */
export interface CpuLook extends Pick<MachineCpu, "totalTicks" | "stealTicks"> {
  readonly atMs: number;
}

/** The window whose worst steal is reported, and the time between readings, ms. */
const windowMs = 10_000;
const everyMs = 1000;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Percent of all processor time. */
function stealPercent(from: CpuLook, to: CpuLook): number {
  const total = to.totalTicks - from.totalTicks;
  return total > 0 ? Math.min(100, Math.max(0, (100 * (to.stealTicks - from.stealTicks)) / total)) : 0;
}

/** `max`: the worst window of ten seconds, or all looks if they cover less. */
export function stealOf(looks: readonly CpuLook[]): { readonly avg: number; readonly max: number } | null {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.totalTicks <= first.totalTicks) return null;
  let [max, start] = [0, 0];
  for (const look of looks) {
    // Moves on to the last look that is at least a window older.
    while (look.atMs - (looks[start + 1]?.atMs ?? look.atMs) >= windowMs) start += 1;
    const from = looks[start];
    if (from !== undefined && look.atMs - from.atMs >= windowMs)
      max = Math.max(max, stealPercent(from, look));
  }
  const avg = stealPercent(first, last);
  return { avg: round(avg), max: round(last.atMs - first.atMs < windowMs ? avg : Math.max(max, avg)) };
}

const parts = ["periods", "throttledPeriods", "throttledMs"] as const;

/** Null if one of the readings has no counter. */
function throttledBetween(before: Throttling | null, after: Throttling | null): (number | null)[] {
  return parts.map((part) => {
    const [from, to] = [before?.[part] ?? null, after?.[part] ?? null];
    return from === null || to === null || to < from ? null : Math.round(to - from);
  });
}

export interface HostWatch extends OtherWorkWatch {
  /** Returns what was taken since the start, and the other programs that used most. */
  end(): Promise<{ readonly figures: HostFigures; readonly busiest: readonly ProgramShare[] }>;
}

const bytesPerMb = 1024 ** 2;

const rounded = (value: number | null): number | null => (value === null ? null : round(value));

/** Watches throttling by a CPU quota, steal of a virtual machine, and what other programs do. */
export async function watchHost(root: MachineRoot = thisMachine, pid = process.pid): Promise<HostWatch> {
  const looks: CpuLook[] = [];
  const look = async (): Promise<void> => {
    const machine = parseMachineCpu((await headOrNull(join(root, "proc", "stat"), everyBytes)) ?? "");
    if (machine !== null) looks.push({ ...machine, atMs: performance.now() });
  };
  const before = (await readLimits(root, pid)).throttling;
  const others = await watchOtherWork(root, pid);
  await look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    limitPercent: others.limitPercent,
    begin: () => others.begin(),
    end: async () => {
      clearInterval(timer);
      await look();
      const { work, busiest } = await others.end();
      const [limits, memory] = await Promise.all([readLimits(root, pid), readMachineMemory(root)]);
      const [total = null, throttled = null, throttledMs = null] = throttledBetween(
        before,
        limits.throttling,
      );
      const steal = stealOf(looks);
      const { memoryBytes } = limits;
      const isLimit = memoryBytes !== null && memoryBytes < (memory?.totalBytes ?? Number.POSITIVE_INFINITY);
      const figures = {
        steal_percent_avg: steal?.avg ?? null,
        steal_percent_max: steal?.max ?? null,
        throttled_periods: throttled,
        total_periods: total,
        throttled_ms: throttledMs,
        container_limit_mb: isLimit ? Math.round(memoryBytes / bytesPerMb) : null,
        other_cpu_percent: rounded(work.cpuPercent),
        cpu_pressure_percent: rounded(work.stallPercent),
      };
      return { figures, busiest };
    },
  };
}

/** Only the first line of `/proc/stat` is needed. */
const everyBytes = 4096;
