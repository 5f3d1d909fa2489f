import { describe, expect, it } from "vitest";
import { reportComparisonOf, ReportComparison } from "../../../src/core/report/compare.ts";
import { Diagnosis, findingsIn } from "../../../src/core/report/diagnosis/diagnosis.ts";
import { comparePayloads, describePayload } from "../../../src/core/report/payload-report.ts";
import { ReportDetail } from "../../../src/core/report/report.ts";
import { TuningAdvice } from "../../../src/core/report/tuning/tuning-advice.ts";
import { acceptedPayload, hostOnlyPayload, reportDetail } from "../../support/payload.ts";

const slower = acceptedPayload({
  local_id: "bench-2",
  finished_at: "2026-11-21T07:12:03.000Z",
  server: { java_version: "25" },
  tests: [],
});

describe("uploads without a service", () => {
  it("[OUR-CMP-10] are compared as their reports are, but for what the service adds", () => {
    const base = acceptedPayload();
    const answer = comparePayloads(base, slower);
    const rows = { id: base.local_id, short_id: base.local_id, visibility: "private" as const };
    const left = reportDetail(base, { ...rows, created_at: base.finished_at });
    const right = reportDetail(slower, {
      ...rows,
      id: "bench-2",
      short_id: "bench-2",
      created_at: slower.finished_at,
    });
    expect(answer).toEqual(reportComparisonOf(left, right));
    expect(ReportComparison.parse(answer)).toEqual(answer);
    expect(answer.caveats.map(({ code }) => code)).toEqual(["java_version_differs"]);
    expect(answer.summary.outcome).toBe("undecided");
  });

  it("[OUR-CMP-10] with more than 90 days between their ends carry that caveat", () => {
    const late = acceptedPayload({
      started_at: "2027-03-20T07:02:03.000Z",
      finished_at: "2027-03-20T07:12:03.000Z",
    });
    const { caveats, summary } = comparePayloads(acceptedPayload(), late);
    expect(caveats.map(({ code }) => code)).toEqual(["measured_long_apart"]);
    expect(summary).toMatchObject({ outcome: "tie", decided_by: "total" });
  });

  it("[OUR-CMP-11] of the host alone stay undecided, with the hardware row judged", () => {
    const payload = hostOnlyPayload();
    const { summary, metrics } = comparePayloads(payload, payload);
    expect(summary).toMatchObject({ outcome: "undecided", leader: null, decided_by: null });
    expect(metrics.find(({ key }) => key === "hardware")).toMatchObject({ outcome: "tie", base: 1000 });
  });

  it("[OUR-SCO-18] have their scores, findings and advice", () => {
    const payload = acceptedPayload({ hardware: { cpu_cores: 8, available_processors: 1 } });
    const { report, lead, diagnosis, tuning } = describePayload(payload);
    expect(ReportDetail.parse(report)).toEqual(report);
    expect(report.scores).toEqual(reportDetail(payload).scores);
    expect(lead).toEqual({ key: "total", value: report.scores.total, missing: [] });
    expect(Diagnosis.parse(diagnosis).findings).toEqual(findingsIn(payload));
    expect(diagnosis.findings.map(({ code }) => code)).toContain("cpu_quota");
    expect(TuningAdvice.parse(tuning).recommendations.length).toBeGreaterThan(0);
    expect(tuning.report_id).toBe(payload.local_id);
  });
});
