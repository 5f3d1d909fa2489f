import { z } from "zod";
import { Id } from "../id.ts";
import { StopReason, TestOutcome } from "../report/payload-test.ts";
import { ReportSource, Visibility } from "../report/report.ts";
import { thirdPartyObject } from "../text/third-party-json.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";

/** `standard` measures once; `tier` raises the load until ticks take too long. */
export const UnitTestMode = z.enum(["standard", "tier"]);
export type UnitTestMode = z.infer<typeof UnitTestMode>;

const text = (max: number) => thirdPartyText(max).nullable();
const number = z.number().nullable();
const count = z.int().nullable();

export const UnitTestSoftware = z.object({
  type: text(64),
  type_name: text(64),
  game_version: text(64),
  plugin_version: text(64),
});
const Spread = z.object({ avg: number, min: number, max: number });

/** Of a ramp, `tps` covers all of it and `mspt` the last load that passed. `server_id` is for its owner. */
export const UnitTest = z.object({
  id: Id,
  short_id: Id,
  test_id: text(64),
  test_name: text(120),
  display_name: text(120),
  category: text(64),
  sub_category: text(64),
  benchmark_mode: UnitTestMode.nullable(),
  visibility: Visibility.nullable(),
  source: ReportSource.nullable(),
  success: z.boolean().nullable(),
  outcome: TestOutcome.nullable(),
  reason_code: text(64),
  duration_ms: count,
  server_id: Id.nullable(),
  parent_report_id: Id.nullable(),
  tps: Spread,
  mspt: Spread,
  server: UnitTestSoftware,
  provider: text(120),
  test_timestamp: Timestamp.nullable(),
  created_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
});
export type UnitTest = z.infer<typeof UnitTest>;

/** The plugin's own data, with the limits of an event's metadata. */
const block = () => thirdPartyObject({ maxBytes: 16 * 1024, maxDepth: 8 }).nullable();

const StressResult = z.object({
  unit: text(32),
  first_load: number,
  last_passing_load: number,
  breaking_load: number,
  rungs: count,
  stop_reason: StopReason.nullable(),
});

const StressRung = z.object({
  rung: count,
  load: number,
  unit: text(32),
  duration_ms: count,
  ticks: count,
  tps_avg: number,
  mspt_avg: number,
  mspt_p95: number,
  mspt_max: number,
  passed: z.boolean().nullable(),
  stop_reason: StopReason.nullable(),
});

const Hardware = z.object({
  cpu_name: text(120),
  cpu_cores: count,
  cpu_threads: count,
  available_processors: count,
  ram_gb: number,
  memory_limit_gb: number,
});

/** The `stress_…` fields are null unless the test is a ramp. */
export const UnitTestDetail = UnitTest.extend({
  percentiles: block(),
  metrics: block(),
  parameters: block(),
  flags: block(),
  stress_result: StressResult.nullable(),
  stress_progression: z.array(StressRung).nullable(),
  hardware: Hardware,
  os_name: text(120),
  java_version: text(120),
  description: text(4000),
});
export type UnitTestDetail = z.infer<typeof UnitTestDetail>;
