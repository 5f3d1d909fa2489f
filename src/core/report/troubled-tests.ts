import { measurementUnreliable, testFailed } from "./diagnosis/test-rules.ts";
import type { ReportPayload } from "./payload.ts";

/** Tests of one run whose measurement cannot be used, by id. */
export interface TroubledTests {
  /** Tests that did not finish. */
  readonly failed: readonly string[];
  /** Tests of which part of the work never ran. */
  readonly unreliable: readonly string[];
}

const subjects = (findings: readonly { readonly subject: string | null }[]): string[] => [
  ...new Set(findings.flatMap(({ subject }) => subject ?? [])),
];

/** The tests that a diagnosis calls `test_failed` and `measurement_unreliable`; none where the upload cannot be read. */
export const troubledTests = (payload: ReportPayload | null): TroubledTests => ({
  failed: payload ? subjects(testFailed(payload)) : [],
  unreliable: payload ? subjects(measurementUnreliable(payload)) : [],
});
