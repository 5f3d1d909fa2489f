import { measurementUnreliable, testFailed } from "./diagnosis/test-rules.ts";
import type { ReportPayload } from "./payload.ts";

/** Ids of tests whose measurement cannot be used. */
export interface TroubledTests {
  readonly failed: readonly string[];
  /** Part of the work of these tests never ran. */
  readonly unreliable: readonly string[];
}

const subjects = (findings: readonly { readonly subject: string | null }[]): string[] => [
  ...new Set(findings.flatMap(({ subject }) => subject ?? [])),
];

/** Tests with the findings `test_failed` and `measurement_unreliable`; none if the upload cannot be read. */
export const troubledTests = (payload: ReportPayload | null): TroubledTests => ({
  failed: payload ? subjects(testFailed(payload)) : [],
  unreliable: payload ? subjects(measurementUnreliable(payload)) : [],
});
