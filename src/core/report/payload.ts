import { z } from "zod";
import { plainText } from "../text/third-party-text.ts";
import { IsoInstant } from "../timestamp.ts";
import { MeasuredBy } from "./conditions.ts";
import { blockProblems } from "./payload-block-rules.ts";
import {
  ConfigBlock,
  GcBlock,
  HardwareBlock,
  HeapBlock,
  HostBlock,
  JvmBlock,
  ServerBlock,
  TicksBlock,
} from "./payload-blocks.ts";
import { nullableInt, nullableText, type Problem } from "./payload-fields.ts";
import { PayloadTest, testProblems } from "./payload-test.ts";
import { BenchmarkMode, ReportSource } from "./report.ts";
import { isScoredTest } from "./test-metrics.ts";

/** A run has some forty tests; checking one takes 20 µs. */
const mostTests = 500;

const PayloadFields = z.object({
  schema: z.literal("service-benchmark-report/1"),
  local_id: plainText(120, 1),
  plugin_version: plainText(64, 1),
  benchmark_mode: BenchmarkMode,
  /** `cpu_time`: the machine was in use meanwhile; such a run is `custom`. */
  measured_by: MeasuredBy.nullable().default(null),
  source: ReportSource.default("manual"),
  job_nonce: plainText(128).nullable().default(null),
  started_at: IsoInstant,
  finished_at: IsoInstant,
  dispersed_zones: nullableInt(0, 1_000_000),
  description: nullableText(4000),
  hosting_tier: nullableText(64),
  server: ServerBlock,
  hardware: HardwareBlock,
  jvm: JvmBlock,
  host: HostBlock,
  config: ConfigBlock,
  ticks: TicksBlock,
  gc: GcBlock,
  heap: HeapBlock,
  tests: z.array(PayloadTest).max(mostTests),
});

/** With two measurements of a test, the score would depend on their order. */
function repeatedTestProblems({ benchmark_mode, tests }: z.output<typeof PayloadFields>): Problem[] {
  if (benchmark_mode === "custom") return [];
  const seen = new Set<string>();
  return tests.flatMap(({ test_id }, index) => {
    const repeated = isScoredTest(test_id) && seen.has(test_id);
    seen.add(test_id);
    return repeated
      ? [{ path: ["tests", index, "test_id"], message: "must appear once in a scored run" }]
      : [];
  });
}

/** Scores are those of a machine that did nothing else. */
const measureProblems = ({ benchmark_mode, measured_by }: z.output<typeof PayloadFields>): Problem[] =>
  measured_by === "cpu_time" && benchmark_mode !== "custom"
    ? [{ path: ["measured_by"], message: "may be cpu_time only in a custom run" }]
    : [];

function payloadProblems(payload: z.output<typeof PayloadFields>): Problem[] {
  const inTests = payload.tests.flatMap((test, index) =>
    testProblems(test, payload.plugin_version).map(({ path, message }) => ({
      path: ["tests", index, ...path],
      message,
    })),
  );
  return [
    ...measureProblems(payload),
    ...blockProblems(payload),
    ...inTests,
    ...repeatedTestProblems(payload),
  ];
}

/**
 * Unknown keys are ignored, and null means "not measured". A known key with a wrong type, out of range or
 * contradicting another one refuses the whole upload, with an issue whose `path` leads to the value. MB are 1
 * 048 576 bytes, percentages 0 to 100.
 */
export const ReportPayload = PayloadFields.superRefine((payload, context) => {
  for (const { path, message } of payloadProblems(payload))
    context.addIssue({ code: "custom", path: [...path], message });
});
export type ReportPayload = z.output<typeof ReportPayload>;
