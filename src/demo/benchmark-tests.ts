import type { ReportBody } from "../outbound/plugin-client.ts";
import type { Host } from "./benchmark-hosts.ts";
import { rounded } from "./chance.ts";

export type TestBody = ReportBody["tests"][number];

/** Moves a figure a little, as every run of a benchmark does. */
export type Vary = (key: string, value: number) => number;

const test = (
  testId: string,
  name: string,
  category: string,
  metrics: Readonly<Record<string, unknown>>,
  [key, expected, unit]: readonly [string, number, string],
): TestBody => ({
  test_id: testId,
  test_name: name,
  category,
  benchmark_mode: "standard",
  outcome: "success",
  success: true,
  duration_ms: 20_000 + ((testId.length * 37) % 240),
  metrics: { ...metrics },
  witnesses: [{ key, expected, actual: expected, unit }],
});

function machineTests({ singleCore, multiCore, threads, memory, disk }: Host, vary: Vary): TestBody[] {
  const random4k = {
    direct_io: true,
    read_iops: Math.round(vary("read_iops", disk.readIops)),
    read_p50_ms: disk.readP50Ms,
    read_p99_ms: rounded(vary("read_p99", disk.readP99Ms), 3),
    write_iops: Math.round(vary("write_iops", disk.writeIops)),
    write_p99_ms: rounded(vary("write_p99", disk.writeP99Ms), 3),
    queue_depth: 1,
    samples: 60_000,
  };
  const bandwidth = {
    read_gb_s: rounded(vary("read_gb_s", memory.read)),
    write_gb_s: rounded(vary("write_gb_s", memory.write)),
    copy_gb_s: rounded(vary("copy_gb_s", memory.copy)),
  };
  const sequential = {
    read_mb_s: Math.round(vary("read_mb_s", disk.readMbS)),
    write_mb_s: Math.round(vary("write_mb_s", disk.writeMbS)),
    file_size_mb: 2048,
  };
  const single = { ops_per_second: Math.round(vary("single", singleCore)) };
  const multi = { ops_per_second: Math.round(vary("multi", multiCore)), threads };
  const latency = { latency_ns: rounded(vary("latency", memory.latencyNs)) };
  return [
    test("cpu_single_core", "Single core", "cpu", single, ["checksum_ok", 1, "boolean"]),
    test("cpu_multi_core", "All cores", "cpu", multi, ["threads_started", threads, "threads"]),
    test("memory_bandwidth", "Memory bandwidth", "memory", bandwidth, [
      "bytes_touched",
      4_294_967_296,
      "bytes",
    ]),
    test("memory_latency", "Memory latency", "memory", latency, ["hops", 50_000_000, "hops"]),
    test("disk_sequential", "Sequential", "disk", sequential, ["bytes_read", 2_147_483_648, "bytes"]),
    test("disk_random_4k", "Random 4K", "disk", random4k, ["reads_completed", 60_000, "reads"]),
  ];
}

/** The tests that load the game, each with the last load that passes in a ramp. */
function loadTests(
  host: Host,
  vary: Vary,
): readonly (readonly [TestBody, unit: string, lastPassing: number])[] {
  const chunks = vary("chunks", host.chunksPerSecond);
  const ai = vary("ai", host.entityTicksPerMs);
  const items = vary("items", host.itemTicksPerMs);
  const redstone = vary("redstone", host.redstonePerMs);
  const hopper = vary("hopper", host.hopperPerMs);
  const explored = { chunks_per_second: rounded(chunks), chunks_generated: Math.round(chunks * 40) };
  return [
    [
      test("exploration_chunk_generation", "Chunk generation", "exploration", explored, [
        "chunks_generated",
        explored.chunks_generated,
        "chunks",
      ]),
      "players",
      Math.round(chunks),
    ],
    [
      test("entities_ai", "Mobs", "entities", { entity_ticks_per_ms: rounded(ai), entity_count: 800 }, [
        "entities_alive_mid_run",
        800,
        "entities",
      ]),
      "entities",
      Math.round(ai * 41),
    ],
    [
      test(
        "entities_items",
        "Dropped items",
        "entities",
        { entity_ticks_per_ms: rounded(items), entity_count: 4000 },
        ["items_alive_mid_run", 4000, "items"],
      ),
      "items",
      Math.round(items * 30),
    ],
    [
      test("mechanics_redstone", "Redstone", "mechanics", { updates_per_ms: rounded(redstone) }, [
        "redstone_updates",
        360_000,
        "updates",
      ]),
      "lines",
      Math.round(redstone * 1.65),
    ],
    [
      test("mechanics_hopper", "Hoppers", "mechanics", { transfers_per_ms: rounded(hopper) }, [
        "hopper_transfers",
        100_000,
        "transfers",
      ]),
      "hoppers",
      Math.round(hopper * 24),
    ],
  ];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The test as a ladder: each rung has half as much load again, until ticks take longer than 50 ms. */
function ramp(test: TestBody, unit: string, lastPassing: number): TestBody {
  const loads = [0.45, 0.67, 1, 1.5].map((share) => Math.round(lastPassing * share));
  const rungs = loads.map((load, index) => {
    const passed = index < loads.length - 1;
    const mspt = rounded((load / lastPassing) * 38 + 4);
    const tps = passed ? 20 : rounded(1000 / mspt);
    const [p95, most] = [rounded(mspt * 1.17), rounded(mspt * 1.6)];
    return {
      rung: index + 1,
      load,
      unit,
      duration_ms: 20_000,
      ticks: Math.round(tps * 20),
      tps_avg: tps,
      mspt_avg: mspt,
      mspt_p95: p95,
      mspt_max: most,
      passed,
      stop_reason: passed ? null : ("mspt_exceeded" as const),
    };
  });
  const { metrics: _metrics, ...rest } = test;
  const rates = rungs.map(({ tps_avg }) => tps_avg);
  const held = rungs.findLast(({ passed }) => passed);
  return {
    ...rest,
    benchmark_mode: "tier",
    // `tps` is the rate over the whole ramp, `mspt` that of the last load that passed.
    tps: { avg: rounded(mean(rates)), min: Math.min(...rates), max: Math.max(...rates) },
    ...(held && { mspt: { avg: held.mspt_avg, min: rounded(held.mspt_avg * 0.8), max: held.mspt_max } }),
    duration_ms: 20_000 * loads.length,
    stress_result: {
      unit,
      first_load: loads[0] ?? null,
      last_passing_load: lastPassing,
      breaking_load: loads.at(-1) ?? null,
      rungs: loads.length,
      stop_reason: "mspt_exceeded",
    },
    stress_progression: rungs,
  };
}

/** A run of mode `custom` has two tests only. */
export function benchmarkTests(host: Host, mode: ReportBody["benchmark_mode"], vary: Vary): TestBody[] {
  const loads = loadTests(host, vary);
  if (mode === "stresslimit")
    return [...machineTests(host, vary), ...loads.map(([test, unit, last]) => ramp(test, unit, last))];
  const tests = [...machineTests(host, vary), ...loads.map(([test]) => test)];
  return mode === "standard"
    ? tests
    : tests.filter(({ test_id }) => ["disk_random_4k", "mechanics_hopper"].includes(test_id));
}
