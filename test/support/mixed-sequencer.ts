import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { waitsForPrograms } from "./waiting-files.ts";

const isWaiting = ({ moduleId }: TestSpecification): boolean => waitsForPrograms(moduleId);

/** Two lists as one: each holds its order, and both end together. */
function mixed<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((list) =>
    list.map((value, index) => ({ value, share: (index + 1) / list.length })),
  );
  return placed.toSorted((a, b) => a.share - b.share).map(({ value }) => value);
}

/** Lets files that wait for programs run beside files that compute, so that the processors rest little. */
export class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const apart = sorted.filter(({ project }) => project.config.isolate);
    const together = sorted.filter(({ project }) => !project.config.isolate);
    return [
      ...mixed(
        together.filter(isWaiting),
        together.filter((file) => !isWaiting(file)),
      ),
      ...apart,
    ];
  }
}
