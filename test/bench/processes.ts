import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import autocannon from "autocannon";

export function start(script: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

export async function untilAnswers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer.`);
}

/** CPU time a process has used, microseconds: user and system, of its clock ticks of 10 ms (Linux). */
export function cpuMicroseconds(pid: number): number {
  const fields = statOf(String(pid)) ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
}

export interface Load {
  readonly requestsPerSecond: number;
  readonly cpuPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly notOk: number;
}

/** Loads one URL from this process and reads what the serving process spent on it. */
export async function load(child: ChildProcess, options: autocannon.Options): Promise<Load> {
  const { pid } = child;
  if (pid === undefined) throw new Error("The server did not start.");
  await autocannon({ connections: 16, ...options, duration: 2 });
  const before = cpuMicroseconds(pid);
  const result = await autocannon({ connections: 16, duration: 5, ...options });
  const spent = cpuMicroseconds(pid) - before;
  return {
    requestsPerSecond: result.requests.average,
    cpuPerRequest: spent / result.requests.total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    notOk: result.non2xx + result.errors,
  };
}

/** CPU time of a process and of all its children, those that have ended too, microseconds. */
export function cpuOfFamily(pid: number): number {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  const ended = statOf(String(pid)) ?? [];
  const ofEnded = (Number(ended[13] ?? 0) + Number(ended[14] ?? 0)) * 10_000;
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + cpuMicroseconds(each), ofEnded);
}

function statOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? null;
  } catch {
    return null;
  }
}

const parentOf = (pid: string): number => Number(statOf(pid)?.[1]);
