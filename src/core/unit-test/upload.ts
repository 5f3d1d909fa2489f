import { z } from "zod";
import { HardwareBlock, ServerBlock } from "../report/payload-blocks.ts";
import { nullableText, type Problem } from "../report/payload-fields.ts";
import { PayloadTest, testProblems } from "../report/payload-test.ts";
import { plainText } from "../text/third-party-text.ts";
import { IsoInstant } from "../timestamp.ts";
import { UnitTestMode } from "./unit-test.ts";

/** Every field of a block that is left out is null. */
const ownBlock = <T extends z.ZodType>(block: T) =>
  block.nullish().transform((value) => value ?? block.parse({}));

const UploadFields = PayloadTest.extend({
  local_id: plainText(120, 1),
  display_name: nullableText(120),
  benchmark_mode: UnitTestMode.nullable().default(null),
  test_timestamp: IsoInstant.nullable().default(null),
  plugin_version: plainText(64, 1).nullable().default(null),
  description: nullableText(4000),
  server: ownBlock(ServerBlock),
  hardware: ownBlock(HardwareBlock),
  parent_report_local_id: plainText(120, 1).nullable().default(null),
  job_nonce: plainText(128).nullable().default(null),
});

/** A standard test has no rungs. */
function ladderProblems(test: z.output<typeof UploadFields>): Problem[] {
  if (test.benchmark_mode !== "standard") return [];
  return (["stress_result", "stress_progression"] as const).flatMap((key) =>
    test[key] === null ? [] : [{ path: [key], message: "must be null in a standard test" }],
  );
}

/** A test as in a benchmark upload, and where it ran. */
export const UnitTestUpload = UploadFields.superRefine((test, context) => {
  // A missing version does not count as an old one.
  const problems = [...testProblems(test, test.plugin_version ?? ""), ...ladderProblems(test)];
  for (const { path, message } of problems) context.addIssue({ code: "custom", path: [...path], message });
});
export type UnitTestUpload = z.output<typeof UnitTestUpload>;

/** A single test is sent without a list. */
export const UnitTestBatch = z.object({ unit_tests: z.array(UnitTestUpload).max(100) });
