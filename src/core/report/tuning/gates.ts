import { directDisks, endOf } from "../measured.ts";
import { measuredLoadScore, scoreParts } from "../parts.ts";
import type { ReportPayload } from "../payload.ts";
import type { LoadTestId } from "../reference.ts";
import type { AreaAdvice, TuningArea } from "./recommendation.ts";

/** Null: the area was measured. */
type Missing = Extract<AreaAdvice["reason"], "test_absent" | "test_failed"> | null;

/** A skipped test, and one that measured something else, count as absent. */
function missing({ tests }: ReportPayload, testIds: readonly string[]): Missing {
  const failed = tests.some(
    (test) => testIds.includes(test.test_id) && ["failure", "unsuccessful"].includes(endOf(test)),
  );
  return failed ? "test_failed" : "test_absent";
}

/** A ramp that passed no load counts as measured: the server is too weak for the first load. */
const anyScored = (payload: ReportPayload, testIds: readonly LoadTestId[]): Missing =>
  testIds.some((testId) => measuredLoadScore(payload, testId) !== null) ? null : missing(payload, testIds);

/** The measurement that an area needs before it can have `nothing_to_change`. */
export const gates: Record<TuningArea, (payload: ReportPayload) => Missing> = {
  cpu: (payload) => (scoreParts(payload).singleCore > 0 ? null : missing(payload, ["cpu_single_core"])),
  memory: ({ heap }) => (heap.after_gc_max_mb === null ? "test_absent" : null),
  jvm: ({ gc }) => (gc.pause_max_ms === null ? "test_absent" : null),
  disk: (payload) => (directDisks(payload).length > 0 ? null : missing(payload, ["disk_random_4k"])),
  chunks: (payload) => anyScored(payload, ["exploration_chunk_generation"]),
  entities: (payload) => anyScored(payload, ["entities_ai", "entities_items"]),
  mechanics: (payload) => anyScored(payload, ["mechanics_redstone", "mechanics_hopper"]),
};
