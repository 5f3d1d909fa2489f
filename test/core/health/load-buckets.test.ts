import fc from "fast-check";
import { expect, it } from "vitest";
import { loadBuckets, loadFields, type LoadSample } from "../../../src/core/health/load-buckets.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 10, 20, 12);
const instants = fc.integer({ min: 0, max: 600 }).map((minutes) => noon + minutes * minute);

it("[OUR-HLT-65] a sample of an excluded time is in no bucket, whatever times overlap and in whatever order they come", () => {
  const times = fc.array(
    fc
      .tuple(instants, fc.integer({ min: 0, max: 90 }))
      .map(([from, minutes]) => ({ from, to: from + minutes * minute })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(fc.uniqueArray(instants, { maxLength: 200 }), times, (at, excluded) => {
      const samples: LoadSample[] = at
        .toSorted((one, other) => one - other)
        .map((each) => ({ at: each, values: loadFields.map(() => 1) }));
      const kept = samples.filter(
        (each) => !excluded.some(({ from, to }) => each.at >= from && each.at < to),
      );
      expect(loadBuckets(samples, excluded)).toEqual(loadBuckets(kept, []));
    }),
  );
});
