import type { z } from "zod";
import type { MeasuredBy } from "../core/report/conditions.ts";
import type { ReportPayload } from "../core/report/payload.ts";
import type { BenchmarkMode } from "../core/report/report.ts";
import { toTimestamp, type Instant } from "../core/time.ts";
import type { FinishedTest } from "./run-tests.ts";

/** As the plugin API takes it. */
export type BenchReport = z.input<typeof ReportPayload>;

/** A run of the machine alone has none of these blocks. */
export type GameBlocks = Pick<BenchReport, "server" | "jvm" | "config" | "ticks" | "gc" | "heap">;

export interface FinishedRun {
  readonly mode: BenchmarkMode;
  readonly measuredBy: MeasuredBy;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  /** Name and version of this program. */
  readonly version: string;
  /** The nonce of the scheduled job; null for a run that a person started. */
  readonly jobNonce: string | null;
  readonly osName: string | null;
  readonly hardware: BenchReport["hardware"];
  readonly host: BenchReport["host"];
  readonly game: GameBlocks | null;
  readonly tests: readonly FinishedTest[];
}

export function reportOf(run: FinishedRun): BenchReport {
  const { game } = run;
  return {
    schema: "service-benchmark-report/1",
    local_id: localIdOf(run.startedAt),
    plugin_version: run.version,
    benchmark_mode: run.mode,
    measured_by: run.measuredBy,
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

/** `bench-2026-11-20_07-12-03-456`, in UTC: the same however often a run's report is sent. */
const localIdOf = (startedAt: Instant): string =>
  `bench-${toTimestamp(startedAt).slice(0, 23).replace("T", "_").replaceAll(/[:.]/g, "-")}`;
