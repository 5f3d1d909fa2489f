import { nearestName } from "../nearest-name.ts";

interface Unmeasured {
  /** The words in names that people give it. */
  readonly words: readonly string[];
  /** The field that comes nearest. */
  readonly nearest: string;
}

/** What owners look for and no server sends. The first that fits a name counts. */
const unmeasured: readonly Unmeasured[] = [
  { words: ["steal", "stolen"], nearest: "cpu_system" },
  {
    words: ["iowait", "io_wait", "load_average", "loadavg", "cpu_temp", "temperature"],
    nearest: "cpu_system",
  },
  { words: ["gpu"], nearest: "cpu_system" },
  { words: ["join", "login"], nearest: "worst_tick_ms" },
  { words: ["swap"], nearest: "rss_mb" },
  { words: ["iops", "io_", "disk_io", "disk_read", "disk_write"], nearest: "worst_tick_ms" },
  { words: ["disk", "storage"], nearest: "disk_free_mb" },
  { words: ["world_size"], nearest: "largest_world_mb" },
  { words: ["network", "bandwidth", "packet", "latency", "jitter"], nearest: "ping_ms" },
  { words: ["chunk_gen", "chunk_load", "chunks_per"], nearest: "loaded_chunks" },
  { words: ["thread"], nearest: "cpu_usage" },
];

/** What comes nearest to a name, and of what is measured `known` has to offer; null if nothing does. */
export function unknownFieldHint(
  name: string,
  known: readonly string[],
  whole: readonly string[],
): string | null {
  const lower = name.toLowerCase();
  if (whole.includes(lower)) return known.includes(lower) ? `The name is ${lower}.` : null;
  const found = unmeasured.find(({ words }) => words.some((word) => lower.includes(word)));
  if (found) {
    const nearest = known.includes(found.nearest) ? `; ${found.nearest} comes nearest` : "";
    return `Tickmark does not measure ${name}${nearest}.`;
  }
  const near = known.find((each) => lower.startsWith(each)) ?? nearestName(lower, known);
  return near === null ? null : `The nearest name is ${near}.`;
}
