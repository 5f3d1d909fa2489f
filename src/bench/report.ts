import type { z } from "zod";
import type { ReportPayload } from "../core/report/payload.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { toTimestamp, type Instant } from "../core/time.ts";
import type { FinishedTest } from "./run-tests.ts";

/** The report's payload, as the plugin API takes it. */
export type BenchReport = z.input<typeof ReportPayload>;

/** The blocks of the payload that describe the game server and its ticks; a run of the machine alone has none. */
export type GameBlocks = Pick<BenchReport, "server" | "jvm" | "config" | "ticks" | "gc" | "heap">;

export interface FinishedRun {
  readonly mode: BenchmarkMode;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  /** Name and version of this program. */
  readonly version: string;
  /** The nonce of the scheduled job that wanted the run; null for a run of a person. */
  readonly jobNonce: string | null;
  readonly osName: string | null;
  readonly hardware: BenchReport["hardware"];
  readonly host: BenchReport["host"];
  readonly game: GameBlocks | null;
  readonly tests: readonly FinishedTest[];
}

/** Makes the documented report of a run. */
export function reportOf(run: FinishedRun): BenchReport {
  const { game } = run;
  return {
    schema: "service-benchmark-report/1",
    local_id: localIdOf(run.startedAt),
    plugin_version: run.version,
    benchmark_mode: run.mode,
    source: run.jobNonce === null ? "manual" : "auto_bench",
    job_nonce: run.jobNonce,
    started_at: toTimestamp(run.startedAt),
    finished_at: toTimestamp(run.finishedAt),
    hardware: run.hardware,
    host: run.host,
    jvm: null,
    config: null,
    ticks: null,
    gc: null,
    heap: null,
    ...game,
    server: { ...game?.server, os_name: run.osName },
    tests: [...run.tests],
  };
}

/** The same for one run however often its report is sent: `bench-2026-11-20_07-12-03-456`, in UTC. */
const localIdOf = (startedAt: Instant): string =>
  `bench-${toTimestamp(startedAt).slice(0, 23).replace("T", "_").replaceAll(/[:.]/g, "-")}`;
