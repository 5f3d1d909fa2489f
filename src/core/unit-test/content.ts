import type { PayloadTest } from "../report/payload-test.ts";
import type { ReportPayload } from "../report/payload.ts";
import type { UnitTestDetail, UnitTestMode } from "./unit-test.ts";
import type { UnitTestUpload } from "./upload.ts";

type RowFields =
  | "id"
  | "short_id"
  | "visibility"
  | "source"
  | "server_id"
  | "parent_report_id"
  | "provider"
  | "test_timestamp"
  | "created_at"
  | "expires_at";

/** The fields of a single test that follow from its upload. */
export type UnitTestContent = Omit<UnitTestDetail, RowFields>;

/** Without a mode, a test with a ramp's result is a ramp. */
const modeOf = ({ benchmark_mode, stress_result, stress_progression }: PayloadTest): UnitTestMode => {
  if (benchmark_mode === "standard" || benchmark_mode === "tier") return benchmark_mode;
  return stress_result === null && stress_progression === null ? "standard" : "tier";
};

type Machine = Pick<UnitTestUpload, "plugin_version" | "server" | "hardware">;
type Author = Pick<UnitTestUpload, "display_name" | "description">;

function contentOf(
  test: PayloadTest,
  { plugin_version, server, hardware }: Machine,
  { display_name, description }: Author,
): UnitTestContent {
  const mode = modeOf(test);
  const { type, type_name, game_version, os_name, java_version } = server;
  const { cpu_name, cpu_cores, cpu_threads, available_processors, ram_gb, memory_limit_gb } = hardware;
  return {
    test_id: test.test_id,
    test_name: test.test_name,
    display_name,
    category: test.category,
    sub_category: test.sub_category,
    benchmark_mode: mode,
    success: test.success,
    outcome: test.outcome,
    reason_code: test.reason_code,
    duration_ms: test.duration_ms,
    tps: test.tps,
    mspt: test.mspt,
    server: { type, type_name, game_version, plugin_version },
    percentiles: test.percentiles,
    metrics: test.metrics,
    parameters: test.parameters,
    flags: test.flags,
    stress_result: mode === "tier" ? test.stress_result : null,
    stress_progression: mode === "tier" ? test.stress_progression : null,
    hardware: { cpu_name, cpu_cores, cpu_threads, available_processors, ram_gb, memory_limit_gb },
    os_name,
    java_version,
    description,
  };
}

export const unitTestContent = (upload: UnitTestUpload): UnitTestContent => contentOf(upload, upload, upload);

/** A custom run of exactly one test is a single test too; null for other runs. */
export function unitTestOfReport(payload: ReportPayload): UnitTestContent | null {
  const [test, another] = payload.tests;
  if (payload.benchmark_mode !== "custom" || !test || another) return null;
  return contentOf(test, payload, { display_name: null, description: payload.description });
}
