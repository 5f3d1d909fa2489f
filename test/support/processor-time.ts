/**
 * What `reference` takes where nothing else runs, on the machine that the limits of tests are set for, ms of the
 * processor.
 */
const referenceMs = 7;

/** So often is measured before a cost is believed. */
const mostMeasurements = 30;

/** Work like that of the tests with limits: objects are made, compared, and thrown away. */
function reference(): number {
  const made = Array.from({ length: 20_000 }, (_, index) => ({
    at: (index * 7919) % 20_011,
    value: index / 7,
  }));
  const counts = new Map<number, number>();
  for (const { at, value } of made.toSorted((one, other) => one.at - other.at))
    counts.set(at % 512, (counts.get(at % 512) ?? 0) + value);
  return [...counts.values()].reduce((sum, value) => sum + value, 0);
}

/** Processor time of this process for a piece of work, ms: what other processes use is not counted in it. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many times slower than undisturbed this machine is at the moment, at least 1. */
export const slowness = (): number => Math.max(1, processorMs(reference) / referenceMs);

/**
 * The least cost of several measurements, ms of the processor of an undisturbed machine. Others on the same processor
 * make every instruction slower, often for seconds: each measurement counts by how much slower than usual the reference
 * was before and after it. The first that is not above `mostMs` is enough: a busy machine is measured more often.
 */
export function undisturbedMs(mostMs: number, measure: () => number): number {
  let least = Infinity;
  reference();
  for (let count = 0; count < mostMeasurements && least > mostMs; count += 1) {
    const before = slowness();
    const ms = measure();
    least = Math.min(least, ms / Math.min(before, slowness()));
  }
  return least;
}
