import { type Step, type Result, all, run } from "../../store/engine/database.ts";
import {
  testsOfReport,
  setVisibilityOfTest,
  type StoredContent,
} from "../../store/unit-test/unit-test-rows.ts";

const descriptionIn = (json: string): string | null => (JSON.parse(json) as StoredContent).description;

/** The tests of a report are seen by whoever sees it; one whose description may not be published stays as it is. */
export function* followReport(
  report: string,
  visibility: string,
  isPublishable: (description: string) => boolean,
): Generator<Step, void, Result> {
  for (const { id, content } of yield* all(testsOfReport, { report })) {
    const description = descriptionIn(content);
    if (visibility === "private" || description === null || isPublishable(description))
      yield* run(setVisibilityOfTest, { id, visibility });
  }
}
