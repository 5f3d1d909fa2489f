import { describe, expect, it } from "vitest";
import { healthFields, type HealthField } from "../../../src/core/health/health-fields.ts";
import { HealthSamples } from "../../../src/core/health/health-samples.ts";

/** Samples at these instants, with `mspt` and nothing else. */
const ticksAt = (times: readonly number[], mspt: readonly (number | null)[]): HealthSamples =>
  new HealthSamples(
    Float64Array.from(times),
    healthFields.map((field: HealthField) =>
      Float64Array.from(times, (_, index) => (field === "mspt" ? (mspt[index] ?? Number.NaN) : Number.NaN)),
    ),
  );

describe("samples by columns", () => {
  const samples = ticksAt([10, 20, 30, 40], [1, null, 3, 4]);

  it("says what was measured, in a part as in the whole", () => {
    expect(samples.values("mspt")).toEqual([1, 3, 4]);
    expect(samples.newest("mspt")).toEqual({ at: 40, value: 4 });
    expect([samples.has("mspt"), samples.has("tps")]).toEqual([true, false]);
    const part = samples.part(0, 2);
    expect(part.measured("mspt")).toEqual([{ at: 10, value: 1 }]);
    expect([part.newestAt, part.at(2), part.at(-1)]).toEqual([20, undefined, undefined]);
    expect(samples.part(-10).length).toBe(4);
    expect(samples.part(9).newestAt).toBeNull();
  });

  it("takes a beginning with it and leaves out an end", () => {
    expect([...samples.between(20, 40).times]).toEqual([20, 30]);
    expect([...samples.between(11).part(1).times]).toEqual([30, 40]);
    expect([...samples.outside([{ startedAt: 20, endsAt: 40 }]).times]).toEqual([10, 40]);
    expect(samples.outside([{ startedAt: 11, endsAt: 20 }])).toBe(samples);
  });

  it("is joined in order of time", () => {
    const later = ticksAt([50], [5]);
    expect(HealthSamples.joined([])).toBe(HealthSamples.none);
    expect(HealthSamples.joined([HealthSamples.none, later])).toBe(later);
    const whole = HealthSamples.joined([samples.part(2), later]);
    expect([...whole.times]).toEqual([30, 40, 50]);
    expect(whole.values("mspt")).toEqual([3, 4, 5]);
  });
});
