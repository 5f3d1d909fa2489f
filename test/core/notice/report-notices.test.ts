import { expect, it } from "vitest";
import { newReportMessage, regressionMessage } from "../../../src/core/notice/notices.ts";
import { leadScore } from "../../../src/core/report/lead-score.ts";

const lead = (total: number, hardware: number) =>
  leadScore({ total, hardware, single_core: hardware, gameplay: total });

it("[OUR-SCO-19] the notice of a report without a total names what was measured, and no 0", () => {
  expect(newReportMessage({ serverName: null, mode: "standard", lead: lead(0, 812) }, null).lines).toEqual([
    "Mode: standard",
    "Hardware score: 812, gameplay not measured",
  ]);
  expect(newReportMessage({ serverName: null, mode: "standard", lead: lead(0, 0) }, null).lines).toEqual([
    "Mode: standard",
    "Total score: hardware and gameplay not measured",
  ]);
});

it("[OUR-REG-18] the notice of a regression names the judged score", () => {
  const regression = { changePercent: -12, medianBefore: 1012, medianNow: 889, since: 0, serverName: null };
  const first = (metric: "total" | "hardware") => regressionMessage({ ...regression, metric }, null).lines[0];
  expect([first("total"), first("hardware")]).toEqual(["Total score: -12 %", "Hardware score: -12 %"]);
});
