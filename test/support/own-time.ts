import { readFileSync } from "node:fs";

/** How long the main thread of a process has wanted a processor and had none, since it began, ms; 0 where the system does not tell. */
function delayedMs(process: number): number {
  try {
    const [, delayed] = readFileSync(`/proc/${process}/task/${process}/schedstat`, "utf8").split(" ");
    return Number(delayed) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * Measures wall time without the time in which this process, or one of the others that take part, wanted a processor and
 * others had it: what waits is counted, a busy machine is not. The function returned gives the time since this call, ms.
 */
export function ownTime(...others: readonly number[]): () => number {
  const from = performance.now();
  const processes = [process.pid, ...others];
  const before = processes.map(delayedMs);
  // A process that ended meanwhile tells nothing any more: its last word counts.
  const last = [...before];
  const look = (): void => {
    for (const [index, pid] of processes.entries()) last[index] = Math.max(last[index] ?? 0, delayedMs(pid));
  };
  const often = others.length > 0 ? setInterval(look, 20) : undefined;
  return () => {
    clearInterval(often);
    look();
    const delayed = last.map((delay, index) => delay - (before[index] ?? 0));
    return Math.max(0, performance.now() - from - delayed.reduce((sum, delay) => sum + delay, 0));
  };
}

/** How long a piece of work took of the time of this process and of the others that take part, ms. */
export async function ownMsOf(work: () => Promise<unknown>, ...others: readonly number[]): Promise<number> {
  const time = ownTime(...others);
  await work();
  return time();
}
