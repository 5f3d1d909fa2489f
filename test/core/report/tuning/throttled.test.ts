import { expect, it } from "vitest";
import { diagnose } from "../../../../src/core/report/diagnosis/diagnosis.ts";
import { adviseTuning } from "../../../../src/core/report/tuning/tuning-advice.ts";
import { acceptedPayload } from "../../../support/payload.ts";

const report = { id: "full", shortId: "short", content: { algorithm_version: "1" } };

it.each([
  [4, "critical"],
  [6, null],
])(
  "[OUR-TUN-05] [OUR-DIA-02] a quota of %i of 8 cores that stops the server in half of all periods is worth advice",
  (cores, severity) => {
    const run = {
      hardware: { cpu_cores: 8, available_processors: cores, cpu_quota_cores: cores },
      host: { throttled_periods: 500, total_periods: 1000 },
    };
    const { areas, recommendations } = adviseTuning(report, acceptedPayload(run));
    const { findings } = diagnose(report, acceptedPayload(run));
    expect(findings.find(({ code }) => code === "cpu_quota")?.severity ?? null).toBe(severity);
    expect(areas[0]).toMatchObject({ area: "cpu", status: "recommended" });
    expect(recommendations).toMatchObject([
      { code: "cpu_raise_quota", suggested: cores * 1.5, trigger: { metric: "throttled_periods_percent" } },
    ]);
  },
);
