import { join } from "node:path";
import { hourMs, toTimestamp, type Instant } from "../../core/time.ts";
import type { EventBody } from "../../outbound/plugin-client.ts";
import { readLimits, type Limits, type Throttling } from "../../linux/cgroup.ts";
import type { ServerInstall, ServerProcess } from "../install/server-install.ts";
import { wholeNumber, headOrNull, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { Finding, Reading, Source } from "./source.ts";

const bytesPerMb = 1024 * 1024;

/** From this share of throttled periods on an event is sent, %; the diagnosis warns from the same share. */
const throttledPercent = 5;

/** Between two events of a throttled server, ms. */
const quietMs = hourMs;

interface Seen {
  readonly server: ServerProcess;
  readonly throttling: Throttling;
}

/** Memory limit, what it is compared with, and CPU quota of the control groups. A limit above the machine's memory counts as none. */
export function cgroupSource(
  install: Pick<ServerInstall, "findProcess">,
  root: MachineRoot = thisMachine,
): Source {
  let before: Seen | null = null;
  let reportedAt: Instant | null = null;

  const read = async (now: Instant): Promise<Reading> => {
    const server = await install.findProcess();
    if (server === null) {
      before = null;
      return {};
    }
    const limits = await readLimits(root, server.pid);
    const limitMb = await memoryLimitMb(root, limits);
    const usedMb = limits.memoryUsedBytes === null ? null : Math.round(limits.memoryUsedBytes / bytesPerMb);
    const last = before?.server.pid === server.pid ? before.throttling : null;
    before = limits.throttling && { server, throttling: limits.throttling };
    const percent = throttledShare(last, limits.throttling);
    const isDue = percent >= throttledPercent && (reportedAt === null || now - reportedAt >= quietMs);
    if (isDue) reportedAt = now;
    return {
      ...(limitMb !== null && {
        measured: { container_limit_mb: limitMb, ...(usedMb !== null && { container_used_mb: usedMb }) },
      }),
      ...(isDue && { events: [throttled(percent, limits.cpuCores, now)] }),
    };
  };

  const check = async (): Promise<readonly Finding[]> => {
    const server = await install.findProcess();
    if (server === null) return [];
    const limits = await readLimits(root, server.pid);
    const limitMb = await memoryLimitMb(root, limits);
    return [
      {
        able: true,
        about: "container limit",
        says: memoryLimitSentence(limitMb, limits),
      },
      {
        able: true,
        about: "CPU quota",
        says:
          limits.cpuCores === null
            ? "No CPU quota is set."
            : `The quota is ${rounded(limits.cpuCores)} processors; an event is sent if it slows the server down.`,
      },
    ];
  };

  return { name: "cgroup", check, read, close: async () => {} };
}

async function memoryLimitMb(root: MachineRoot, { memoryBytes }: Limits): Promise<number | null> {
  if (memoryBytes === null) return null;
  const head = (await headOrNull(join(root, "proc", "meminfo"), 1024)) ?? "";
  const [, totalKb] = /^MemTotal: +(\d{1,15}) kB/.exec(head) ?? [];
  const machineBytes = (wholeNumber(totalKb) ?? Number.POSITIVE_INFINITY) * 1024;
  return memoryBytes < machineBytes ? Math.round(memoryBytes / bytesPerMb) : null;
}

function memoryLimitSentence(limitMb: number | null, { memorySlows }: Limits): string {
  if (limitMb === null) return "No memory limit is set.";
  return memorySlows
    ? `The kernel slows the server down from ${limitMb} MB on (MemoryHigh).`
    : `The kernel stops the server at ${limitMb} MB.`;
}

/** % of the periods since the last reading in which the quota was used up. */
function throttledShare(before: Throttling | null, now: Throttling | null): number {
  if (before === null || now === null) return 0;
  const periods = now.periods - before.periods;
  return periods > 0 ? (100 * (now.throttledPeriods - before.throttledPeriods)) / periods : 0;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const throttled = (percent: number, cores: number | null, now: Instant): EventBody => ({
  local_id: `cpu-throttled-${now}`,
  type: "cpu_throttled",
  category: "custom",
  source: "agent",
  severity: "warning",
  title: "The CPU quota holds the server back",
  description: `In ${Math.round(percent)} % of the time slices since the last sample the server had used up its quota and waited.`,
  metadata: {
    throttled_periods_percent: rounded(percent),
    ...(cores !== null && { cpu_quota_cores: rounded(cores) }),
  },
  timestamp: toTimestamp(now),
});
