import fc from "fast-check";
import { expect, it } from "vitest";
import { loadBuckets, loadFields, type LoadColumns } from "../../../src/core/health/load-buckets.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 10, 20, 12);
const instants = fc.integer({ min: 0, max: 600 }).map((minutes) => noon + minutes * minute);

const samplesAt = (times: readonly number[]): LoadColumns => ({
  times,
  columns: loadFields.map(() => times.map(() => 1)),
});

it("a sample of an excluded time is in no bucket, whatever times overlap and in whatever order they come", () => {
  const excludedTimes = fc.array(
    fc
      .tuple(instants, fc.integer({ min: 0, max: 90 }))
      .map(([from, minutes]) => ({ from, to: from + minutes * minute })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fc.uniqueArray(instants, { maxLength: 200 }), excludedTimes, (at, excluded) => {
      const times = at.toSorted((one, other) => one - other);
      const kept = times.filter((each) => !excluded.some(({ from, to }) => each >= from && each < to));
      expect(loadBuckets(samplesAt(times), excluded)).toEqual(loadBuckets(samplesAt(kept), []));
    }),
  );
});
