import { z } from "zod";
import { plainText, thirdPartyText } from "../text/third-party-text.ts";
import {
  nullableInt,
  nullableJsonObject,
  nullableMspt,
  nullableNumber,
  nullableText,
  nullableTps,
  optionalBlock,
  type Problem,
} from "./payload-fields.ts";
import { metricProblems } from "./test-metrics.ts";

export const TestOutcome = z.enum(["success", "failure", "skipped"]);

const mostMs = Number.MAX_SAFE_INTEGER;
const mostLoad = 1e9;

export const StopReason = z.enum([
  "mspt_exceeded",
  "tps_dropped",
  "max_load_reached",
  "timeout",
  "memory_guard",
  "aborted",
]);

/** Loads are in `unit`; `breaking_load` is null if the ramp reached its end. */
const StressResult = z.object({
  unit: nullableText(32),
  first_load: nullableNumber(0, mostLoad),
  last_passing_load: nullableNumber(0, mostLoad),
  breaking_load: nullableNumber(0, mostLoad),
  rungs: nullableInt(0, 10_000),
  stop_reason: StopReason.nullable().default(null),
});

const StressRung = z.object({
  rung: nullableInt(0, 10_000),
  load: nullableNumber(0, mostLoad),
  unit: nullableText(32),
  duration_ms: nullableInt(0, mostMs),
  ticks: nullableInt(0, 10_000_000),
  tps_avg: nullableTps(),
  mspt_avg: nullableMspt(),
  mspt_p95: nullableMspt(),
  mspt_max: nullableMspt(),
  passed: z.boolean().nullable().default(null),
  stop_reason: StopReason.nullable().default(null),
});

const HostLimit = z.object({
  setting: thirdPartyText(120),
  limit: nullableNumber(0, Number.MAX_SAFE_INTEGER),
  needed: nullableNumber(0, Number.MAX_SAFE_INTEGER),
  unit: nullableText(32),
});

/** A count by the plugin that proves that the timed work really ran. */
const Witness = z.object({
  key: thirdPartyText(120),
  expected: z.number().min(0),
  actual: z.number().min(0),
  unit: nullableText(32),
});

/** Usual tests have up to ten witnesses and some twenty rungs. */
const mostWitnesses = 100;
const mostRungs = 500;

/** The JSON objects hold the plugin's own keys; `testProblems` checks the ranges of metrics. */
export const PayloadTest = z.object({
  test_id: plainText(64, 1),
  test_name: nullableText(120),
  category: nullableText(64),
  sub_category: nullableText(64),
  benchmark_mode: nullableText(32),
  outcome: TestOutcome.nullable().default(null),
  success: z.boolean(),
  reason_code: nullableText(64),
  duration_ms: nullableInt(0, mostMs),
  metrics: nullableJsonObject(),
  parameters: nullableJsonObject(),
  flags: nullableJsonObject(),
  percentiles: nullableJsonObject(),
  tps: optionalBlock({ avg: nullableTps(), min: nullableTps(), max: nullableTps() }),
  mspt: optionalBlock({ avg: nullableMspt(), min: nullableMspt(), max: nullableMspt() }),
  host_limit: HostLimit.nullable().default(null),
  witnesses: z
    .array(Witness)
    .max(mostWitnesses)
    .nullish()
    .transform((witnesses) => witnesses ?? []),
  stress_result: StressResult.nullable().default(null),
  stress_progression: z.array(StressRung).max(mostRungs).nullable().default(null),
});
export type PayloadTest = z.output<typeof PayloadTest>;

/** Plugins report three outcomes from 1.8.0 on. An unreadable version counts as a new one. */
function reportsOutcome(pluginVersion: string): boolean {
  const [, major, minor = "0"] = /^v?(\d{1,9})(?:\.(\d{1,9}))?/.exec(pluginVersion) ?? [];
  if (major === undefined) return true;
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 8);
}

function outcomeProblems({ outcome, success }: PayloadTest, pluginVersion: string): Problem[] {
  if (outcome === null)
    return reportsOutcome(pluginVersion)
      ? [{ path: ["outcome"], message: "may be null only from plugins before 1.8.0" }]
      : [];
  return success === (outcome === "success")
    ? []
    : [{ path: ["success"], message: "must be true when outcome is success, and false otherwise" }];
}

/** Contradictions inside one test; paths are relative to the test. */
export function testProblems(test: PayloadTest, pluginVersion: string): Problem[] {
  const metrics = metricProblems(test.test_id, test.metrics ?? {});
  return [
    ...outcomeProblems(test, pluginVersion),
    ...metrics.map(({ path, message }) => ({ path: ["metrics", ...path], message })),
  ];
}
