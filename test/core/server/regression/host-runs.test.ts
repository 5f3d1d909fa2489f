import { describe, expect, it } from "vitest";
import type { ScheduledRun } from "../../../../src/core/server/regression/run.ts";
import { changed, daily, day, judged, now, runAt, steady } from "./runs.ts";

const dropped = [...steady, 4400, 4410, 4395, 4402];

describe("runs that measured only the host", () => {
  it("[OUR-REG-18] the hardware score is judged where no comparable run has a total", () => {
    const hostRuns = (values: readonly number[], changes: Partial<ScheduledRun> = {}) =>
      daily(values, changes).map((run) => changed(run, { scores: { ...run.scores, total: 0, gameplay: 0 } }));
    const verdict = judged(hostRuns(dropped));
    expect(verdict).toMatchObject({ verdict: "regression", metric: "hardware", change_percent: -11.99 });
    expect(verdict.runs).toMatchObject({ comparable: 14, points: 14, excluded: [] });
    expect(verdict.other_metrics.map(({ key }) => key)).not.toContain("hardware");
    expect(verdict.other_metrics.map(({ key }) => key)).toContain("single_core");
    expect(judged(daily(steady)).metric).toBe("total");
    expect(judged([]).metric).toBe("total");
  });

  it("[OUR-REG-18] runs of the host alone are never judged together with full ones", () => {
    const host = (run: ScheduledRun) => changed(run, { scores: { ...run.scores, total: 0, gameplay: 0 } });
    const full = daily(steady);
    // The newest run of the same conditions measured only the host.
    const mixed = judged([...full, host(changed(full[9] as ScheduledRun, { reportId: "run 999" }))]);
    expect([mixed.metric, mixed.verdict]).toEqual(["total", "stable"]);
    expect(mixed.runs.excluded).toEqual([{ reason: "missing_total", count: 1 }]);
    // Other conditions: a plugin of another minor version measured the full runs.
    const { context } = runAt(now, 1, { plugin_version: "2.0.0" });
    const alone = judged([
      ...full.map((run) => changed(run, { finishedAt: run.finishedAt - 20 * day })),
      ...daily(steady, { context }).map(host),
    ]);
    expect([alone.metric, alone.verdict]).toEqual(["hardware", "stable"]);
    expect(alone.runs).toMatchObject({ comparable: 10, excluded: [{ reason: "other_group", count: 10 }] });
  });
});
