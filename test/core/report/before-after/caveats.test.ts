import { describe, expect, it } from "vitest";
import { caveatCodes, changed, day, hour, judged, noon, side, sides, type Sides } from "./runs.ts";

const slow = [1000, 1003, 998, 1001, 999];
const fast = [1200, 1203, 1198, 1201, 1199];
const usual = sides(slow, fast);

const found = (runs: Sides, code: string, value = "total") =>
  judged(runs, value).caveats.filter((caveat) => caveat.code === code);

const placed = (before: readonly number[], after: readonly number[]): Sides => ({
  before: side(slow.slice(0, before.length), noon).map((run, index) =>
    changed(run, { finishedAt: noon + (before[index] ?? 0) }),
  ),
  after: side(fast.slice(0, after.length), noon).map((run, index) =>
    changed(run, { finishedAt: noon + (after[index] ?? 0) }),
  ),
});

describe("caveats", () => {
  it("[BEF-03] [OUR-BEF-14] every verdict assumes that the target was the only change, and says so first", () => {
    for (const runs of [usual, sides([1], [2]), sides([1000, 500, 100], fast)])
      expect(caveatCodes(judged(runs))[0]).toBe("single_change_assumed");
  });

  it("[OUR-BEF-14] five runs a side in good order have no other but those of other scores", () => {
    const { before, after } = sides(slow, slow);
    expect(caveatCodes(judged({ before, after }))).toEqual(["single_change_assumed"]);
  });

  it.each([
    [2, 5, null],
    [3, 5, 3],
    [5, 4, 4],
    [5, 5, null],
  ])("[OUR-BEF-14] %i v %i runs are a small sample of %s", (m, n, value) => {
    const caveats = found(sides(slow.slice(0, m), fast.slice(0, n)), "small_sample");
    expect(caveats.map((caveat) => caveat.value)).toEqual(value === null ? [] : [value]);
  });

  it("[OUR-BEF-14] a declared change that is not known to have happened is not separable either", () => {
    const declared = judged(usual, "total", ["mod_count", "java_version"]);
    // Both sides have the same Java; mods are unknown.
    expect(declared.caveats).toContainEqual(
      expect.objectContaining({ code: "declared_changes_not_separable", fields: ["mod_count"] }),
    );
  });

  it("[OUR-BEF-14] another build is a caveat, not a refusal", () => {
    const verdict = judged(sides(slow, fast, {}, { server: { build: "1.21.4-230" } }));
    expect(verdict.verdict).toBe("improved");
    expect(caveatCodes(verdict)).toContain("build_differs");
    expect(verdict.differences).toEqual([
      { field: "server_build", before: "1.21.4-228", after: "1.21.4-230", declared: false, blocking: false },
    ]);
  });

  it.each([
    [14 * day, 0],
    [14 * day + 1, 1],
  ])("[OUR-BEF-14] %i ms between the sides are %i long gaps", (gap, count) => {
    const runs = placed(
      [0, hour, 2 * hour],
      [0, hour, 2 * hour].map((at) => at + 2 * hour + gap),
    );
    expect(found(runs, "long_gap")).toHaveLength(count);
  });

  it.each([
    [3 * day, 0],
    [3 * day + 1, 1],
  ])("[OUR-BEF-14] a side of %i ms spans days %i times", (span, count) => {
    const caveats = found(
      placed([0, hour, span], [span + hour, span + 2 * hour, span + 3 * hour]),
      "side_spans_days",
    );
    expect(caveats).toHaveLength(count);
    if (count) expect(caveats).toMatchObject([{ side: "before", value: 3, unit: "days" }]);
  });

  it.each([
    [600_000, 0],
    [599_999, 1],
  ])("[OUR-BEF-14] runs %i ms apart are back to back %i times", (apart, count) => {
    const caveats = found(placed([0, hour, 2 * hour], [day, day + apart, day + hour]), "back_to_back_runs");
    expect(caveats).toHaveLength(count);
    if (count) expect(caveats).toMatchObject([{ side: "after", value: 10, unit: "minutes" }]);
  });

  it("[OUR-BEF-14] runs of an unknown server fall through to the hardware, with a caveat", () => {
    const nameless = usual.after.map((run) => changed(run, { serverId: null }));
    const verdict = judged({ before: usual.before, after: nameless });
    expect(verdict.verdict).toBe("improved");
    expect(caveatCodes(verdict)).toContain("server_unknown");
    expect(caveatCodes(judged(usual))).not.toContain("server_unknown");
  });

  it("[OUR-BEF-14] [OUR-BEF-15] what happened to other scores is told by their keys", () => {
    const { before, after } = usual;
    const worse = after.map((run) => changed(run, { scores: { ...run.scores, disk: 700, memory: 1000 } }));
    const verdict = judged({ before, after: worse }, "entities");
    expect(found({ before, after: worse }, "other_metric_degraded", "entities")).toMatchObject([
      { key: "disk" },
    ]);
    const better = verdict.caveats.filter(({ code }) => code === "other_metric_improved");
    expect(better.map(({ key }) => key)).toEqual(
      "total single_core gameplay hardware multi_core exploration mechanics".split(" "),
    );
  });

  it("[OUR-BEF-14] three undecided runs a side ask for five; more of them do not help what was refused before", () => {
    const overlap = [1000, 1080, 1040];
    expect(found(sides(overlap, overlap), "unchanged_needs_more_runs")).toMatchObject([
      { value: 5, unit: "runs" },
    ]);
    expect(found(sides([...overlap, 1020], [...overlap, 1020]), "unchanged_needs_more_runs")).toEqual([]);
    expect(found(sides([1000, 1001, 1002], fast), "unchanged_needs_more_runs")).toEqual([]);
    const changed = sides(overlap, overlap, {}, { server: { java_version: "25" } });
    expect(found(changed, "unchanged_needs_more_runs")).toEqual([]);
  });
});
