import { type Work, all, run } from "../../store/engine/database.ts";
import {
  testsOfReport,
  setVisibilityOfTest,
  type StoredContent,
} from "../../store/unit-test/unit-test-rows.ts";

const descriptionIn = (json: string): string | null => (JSON.parse(json) as StoredContent).description;

/** Tests get their report's visibility, unless their description may not be published. */
export function* followReport(
  report: string,
  visibility: string,
  isPublishable: (description: string) => boolean,
): Work<void> {
  for (const { id, content } of yield* all(testsOfReport, { report })) {
    const description = descriptionIn(content);
    if (visibility === "private" || description === null || isPublishable(description))
      yield* run(setVisibilityOfTest, { id, visibility });
  }
}
