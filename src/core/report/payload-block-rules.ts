import type { z } from "zod";
import type { HeapBlock, HostBlock, TicksBlock } from "./payload-blocks.ts";
import type { Problem } from "./payload-fields.ts";

interface Blocks {
  readonly ticks: z.output<typeof TicksBlock>;
  readonly host: z.output<typeof HostBlock>;
  readonly heap: z.output<typeof HeapBlock>;
}

type Path = Problem["path"];

const atMost = (value: number | null, bound: number | null, path: Path, message: string): Problem[] =>
  value !== null && bound !== null && value > bound ? [{ path, message }] : [];

/** Percentiles of one set of ticks cannot decrease; unknown ones are skipped. */
function orderProblems(mspt: Blocks["ticks"]["mspt"]): Problem[] {
  const keys = ["p50", "p95", "p99", "max"] as const;
  const measured = keys.filter((key) => mspt[key] !== null);
  return measured.slice(1).flatMap((higher, index) => {
    const lower = measured[index] ?? higher;
    return atMost(mspt[lower], mspt[higher], ["ticks", "mspt", lower], `must not be above ${higher}`);
  });
}

function tickProblems({ mspt, ...ticks }: Blocks["ticks"]): Problem[] {
  const { spike_cpu_ms: cpu, spike_wall_ms: wall } = ticks;
  // Two clocks are compared, so 5 % of disagreement is not yet a contradiction.
  const mostCpu = wall === null ? null : (wall * 105) / 100;
  return [
    ...atMost(mspt.avg, mspt.max, ["ticks", "mspt", "avg"], "must not be above max"),
    ...orderProblems(mspt),
    ...atMost(ticks.over_50ms, ticks.count, ["ticks", "over_50ms"], "must not be above count"),
    ...atMost(cpu, mostCpu, ["ticks", "spike_cpu_ms"], "must not be above 1.05 times spike_wall_ms"),
  ];
}

function heapProblems(heap: Blocks["heap"]): Problem[] {
  // The values are rounded to whole MB separately, so 1 % above the maximum is accepted.
  const most = heap.max_mb === null ? null : (heap.max_mb * 101) / 100;
  const keys = ["after_gc_max_mb", "after_gc_last_mb"] as const;
  return keys.flatMap((key) => atMost(heap[key], most, ["heap", key], "must not be above 1.01 times max_mb"));
}

/** Contradictions inside the blocks of an upload; each path names the value that is above its bound. */
export function blockProblems({ ticks, host, heap }: Blocks): Problem[] {
  return [
    ...tickProblems(ticks),
    ...atMost(
      host.throttled_periods,
      host.total_periods,
      ["host", "throttled_periods"],
      "must not be above total_periods",
    ),
    ...heapProblems(heap),
  ];
}
