/** Figures of a service since its start, and the longest block of its loop since the last time it was asked. */
export interface Scrape {
  readonly longestBlockMs: number;
  readonly gcSeconds: number;
  readonly rssMb: number;
  /** Seconds of each job: of its newest run, and of all. */
  readonly jobs: ReadonlyMap<string, { readonly last: number; readonly all: number }>;
}

/** The loop's delay is measured by a timer of so many ms, which is part of each figure. */
const lagResolutionMs = 10;
const mb = 1_048_576;

/** Reads `/metrics` of a service. */
export async function scrape(metricsUrl: string): Promise<Scrape> {
  const text = await (await fetch(metricsUrl)).text();
  const values = [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = "", labels = "", value]) => ({ name, labels, value: Number(value) }),
  );
  const all = (name: string) => values.filter((each) => each.name === name);
  const sum = (name: string): number => all(name).reduce((total, { value }) => total + value, 0);
  const ofJobs = (name: string): Map<string, number> =>
    new Map(all(name).map(({ labels, value }) => [/task="([^"]*)"/.exec(labels)?.[1] ?? "", value]));
  const totals = ofJobs("tickmark_job_seconds_total");
  const last = ofJobs("tickmark_job_last_duration_seconds");
  return {
    longestBlockMs: Math.max(0, sum("nodejs_eventloop_lag_max_seconds") * 1000 - lagResolutionMs),
    gcSeconds: sum("nodejs_gc_duration_seconds_sum"),
    rssMb: sum("process_resident_memory_bytes") / mb,
    jobs: new Map([...last].map(([task, newest]) => [task, { last: newest, all: totals.get(task) ?? 0 }])),
  };
}

/** Bytes of the heap and of everything after all garbage was collected, MB. */
export interface HeapFigures {
  readonly heapMb: number;
  readonly rssMb: number;
}

export const heapFigures = ({ heapUsed, rss }: NodeJS.MemoryUsage): HeapFigures => ({
  heapMb: heapUsed / mb,
  rssMb: rss / mb,
});
