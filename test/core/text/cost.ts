/** Processor time of this process, the least of three measurements, ms: other work on the machine is not counted in it. */
export function milliseconds(work: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** What four times the work costs: about 4 where it grows with the work alone, 16 where it grows with its square. */
export const squared = 16;

/**
 * How long the whole takes, and how many times as long as its quarter. Both are measured again while that seems to
 * grow with the square: the load of the machine comes and goes, the square stays.
 */
export function growth(whole: () => unknown, quarter: () => unknown): { ms: number; ratio: number } {
  let [ms, part] = [milliseconds(whole), milliseconds(quarter)];
  for (let again = 0; again < 4 && ms / part >= squared; again += 1) {
    ms = Math.min(ms, milliseconds(whole));
    part = Math.min(part, milliseconds(quarter));
  }
  return { ms, ratio: ms / part };
}
