import type { ReportBody } from "../outbound/plugin-client.ts";

/** The results of a benchmark on one machine, in the units of the payload's tests and blocks. */
export interface Host {
  readonly hardware: ReportBody["hardware"];
  readonly jvm: NonNullable<ReportBody["jvm"]>;
  readonly host: NonNullable<ReportBody["host"]>;
  readonly hostingTier: string;
  readonly osName: string;
  readonly singleCore: number;
  readonly multiCore: number;
  readonly threads: number;
  /** GB/s. */
  readonly memory: {
    readonly read: number;
    readonly write: number;
    readonly copy: number;
    readonly latencyNs: number;
  };
  readonly disk: {
    readonly readMbS: number;
    readonly writeMbS: number;
    readonly readIops: number;
    readonly readP50Ms: number;
    readonly readP99Ms: number;
    readonly writeIops: number;
    readonly writeP99Ms: number;
  };
  readonly chunksPerSecond: number;
  readonly entityTicksPerMs: number;
  readonly itemTicksPerMs: number;
  readonly redstonePerMs: number;
  readonly hopperPerMs: number;
  /** Ticks of the gameplay phase, ms. */
  readonly mspt: readonly [avg: number, p50: number, p95: number, p99: number, max: number];
  readonly tps: readonly [avg: number, min: number];
  /** The share of ticks over 50 ms. */
  readonly late: number;
  /** Wall and CPU time of ticks of 100 ms and more, ms. */
  readonly spikes: readonly [wall: number, cpu: number];
  readonly gc: readonly [count: number, totalMs: number, maxMs: number];
  /** MB. */
  readonly heap: readonly [average: number, most: number, afterGc: number];
}

const aikar = [
  "-XX:+UseG1GC",
  "-XX:G1NewSizePercent=30",
  "-XX:MaxGCPauseMillis=200",
  "-XX:+DisableExplicitGC",
];

const good: Host = {
  hardware: {
    cpu_name: "AMD Ryzen 9 7950X3D",
    cpu_cores: 16,
    cpu_threads: 32,
    available_processors: 32,
    cpu_quota_cores: null,
    cpu_frequency_ghz: 4.2,
    ram_gb: 128,
    memory_limit_gb: 24,
    disk_type: "nvme",
  },
  jvm: {
    collector: "g1",
    java_major: 21,
    heap_max_mb: 12_288,
    heap_initial_mb: 12_288,
    flags: ["-Xms12G", "-Xmx12G", ...aikar],
  },
  host: {
    steal_percent_avg: 0,
    steal_percent_max: 0,
    throttled_periods: 0,
    total_periods: 6000,
    throttled_ms: 0,
    container_limit_mb: 24_576,
    rss_peak_mb: 14_020,
  },
  hostingTier: "dedicated",
  osName: "Debian GNU/Linux 12",
  singleCore: 1_452_000,
  multiCore: 16_350_000,
  threads: 32,
  memory: { read: 34.2, write: 24.6, copy: 21.9, latencyNs: 78 },
  disk: {
    readMbS: 5240,
    writeMbS: 3610,
    readIops: 19_400,
    readP50Ms: 0.045,
    readP99Ms: 0.16,
    writeIops: 17_100,
    writeP99Ms: 0.21,
  },
  chunksPerSecond: 61.5,
  entityTicksPerMs: 88,
  itemTicksPerMs: 592,
  redstonePerMs: 1340,
  hopperPerMs: 358,
  mspt: [13.1, 12.2, 20.4, 27.9, 43.6],
  tps: [20, 19.9],
  late: 0,
  spikes: [0, 0],
  gc: [210, 3150, 31],
  heap: [5200, 8900, 3650],
};

/** A container limited to two of sixteen cores, and throttled in a third of its periods. */
const throttled: Host = {
  hardware: {
    cpu_name: "Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz",
    cpu_cores: 16,
    cpu_threads: 32,
    available_processors: 2,
    cpu_quota_cores: 2,
    cpu_frequency_ghz: 2.4,
    ram_gb: 256,
    memory_limit_gb: 6,
    disk_type: "ssd",
  },
  jvm: {
    collector: "g1",
    java_major: 21,
    heap_max_mb: 4096,
    heap_initial_mb: 1024,
    flags: ["-Xms1G", "-Xmx4G"],
  },
  host: {
    steal_percent_avg: 3.1,
    steal_percent_max: 14.2,
    throttled_periods: 2140,
    total_periods: 6000,
    throttled_ms: 71_300,
    container_limit_mb: 6144,
    rss_peak_mb: 5480,
  },
  hostingTier: "shared",
  osName: "Ubuntu 22.04.5 LTS",
  singleCore: 611_000,
  multiCore: 1_048_000,
  threads: 2,
  memory: { read: 12.5, write: 8.8, copy: 8.1, latencyNs: 128 },
  disk: {
    readMbS: 482,
    writeMbS: 311,
    readIops: 7200,
    readP50Ms: 0.13,
    readP99Ms: 1.9,
    writeIops: 5400,
    writeP99Ms: 3.4,
  },
  chunksPerSecond: 15.2,
  entityTicksPerMs: 24.1,
  itemTicksPerMs: 171,
  redstonePerMs: 388,
  hopperPerMs: 104,
  mspt: [43.8, 41.2, 68.4, 112.7, 640.2],
  tps: [18.6, 14.1],
  late: 0.26,
  spikes: [31_400, 11_900],
  gc: [612, 16_800, 148],
  heap: [3010, 3960, 3480],
};

/** Enough processor, but every chunk waits for a disk behind a busy network. */
const slowDisk: Host = {
  hardware: {
    cpu_name: "AMD EPYC 7402P 24-Core Processor",
    cpu_cores: 8,
    cpu_threads: 8,
    available_processors: 8,
    cpu_quota_cores: null,
    cpu_frequency_ghz: 2.8,
    ram_gb: 32,
    memory_limit_gb: 16,
    disk_type: "network",
  },
  jvm: {
    collector: "zgc_generational",
    java_major: 21,
    heap_max_mb: 8192,
    heap_initial_mb: 8192,
    flags: ["-Xms8G", "-Xmx8G", "-XX:+UseZGC", "-XX:+ZGenerational"],
  },
  host: {
    steal_percent_avg: 1.2,
    steal_percent_max: 6.5,
    throttled_periods: 0,
    total_periods: 6000,
    throttled_ms: 0,
    container_limit_mb: 16_384,
    rss_peak_mb: 10_900,
  },
  hostingTier: "vps",
  osName: "AlmaLinux 9.4",
  singleCore: 792_000,
  multiCore: 4_130_000,
  threads: 8,
  memory: { read: 17.1, write: 12.2, copy: 11.3, latencyNs: 112 },
  disk: {
    readMbS: 141,
    writeMbS: 96,
    readIops: 322,
    readP50Ms: 2.4,
    readP99Ms: 74.3,
    writeIops: 208,
    writeP99Ms: 138.6,
  },
  chunksPerSecond: 11.4,
  entityTicksPerMs: 46.2,
  itemTicksPerMs: 318,
  redstonePerMs: 702,
  hopperPerMs: 196,
  mspt: [24.3, 21.4, 43.9, 96.1, 1240.5],
  tps: [19.2, 12.4],
  late: 0.034,
  spikes: [48_200, 6300],
  gc: [96, 58, 0.9],
  heap: [4300, 6900, 3900],
};

export const hosts = { good, throttled, slowDisk } as const;
export type HostName = keyof typeof hosts;
