import { toTimestamp } from "../../core/time.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { residentKb } from "../../linux/memory.ts";
import { readStat, startOf, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { readMachine, cpuShare } from "../../linux/machine-cpu.ts";
import type { Finding, Reading, Source } from "./source.ts";

interface Seen {
  readonly pid: number;
  readonly startTicks: number;
  readonly cpuTicks: number;
  readonly machineTicks: number;
}

const kbPerMb = 1024;

/** CPU (% of all processors, since the last reading), memory and start of the process, from `/proc`. */
export function processSource(
  install: Pick<ServerInstall, "findProcess">,
  root: MachineRoot = thisMachine,
): Source {
  let before: Seen | null = null;

  const read = async (): Promise<Reading> => {
    const server = await install.findProcess();
    if (server === null) {
      before = null;
      throw new Error("The server's process is not running.");
    }
    const [machine, now, rssKb] = await Promise.all([
      readMachine(root),
      readStat(root, server.pid),
      residentKb(root, server.pid),
    ]);
    if (now === null || now.startTicks !== server.startTicks) {
      before = null;
      throw new Error("The server's process ended while it was looked at.");
    }
    const last = before;
    before = {
      pid: server.pid,
      startTicks: server.startTicks,
      cpuTicks: now.cpuTicks,
      machineTicks: machine.totalTicks,
    };
    const isSame = last?.pid === server.pid && last.startTicks === server.startTicks;
    const share = isSame
      ? cpuShare(now.cpuTicks - last.cpuTicks, machine.totalTicks - last.machineTicks)
      : null;
    const bootedAt = await startOf(root, server);
    return {
      measured: {
        ...(share !== null && { cpu_usage: share }),
        ...(rssKb !== null && { rss_mb: Math.round(rssKb / kbPerMb) }),
      },
      ...(bootedAt !== null && { bootedAt }),
    };
  };

  const check = async (): Promise<readonly Finding[]> => {
    const server = await install.findProcess();
    if (server === null) {
      return [
        {
          able: false,
          about: "server's process",
          says: "No process was found that listens on the server's port or runs in its folder; start the server, or run this as its user.",
        },
      ];
    }
    const bootedAt = await startOf(root, server);
    const since = bootedAt === null ? "" : `, running since ${toTimestamp(bootedAt)}`;
    return [
      {
        able: true,
        about: "server's process",
        says: `Process ${server.pid}${since}: CPU and memory can be read.`,
      },
    ];
  };

  return { name: "process", check, read, close: async () => {} };
}
