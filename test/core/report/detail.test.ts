import { expect, it } from "vitest";
import { reportContent } from "../../../src/core/report/detail.ts";
import {
  BenchmarkMode,
  Report,
  ReportDetail,
  ReportSource,
  Visibility,
} from "../../../src/core/report/report.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import { acceptedPayload, reportDetail } from "../../support/payload.ts";

const reportFields = [
  "id",
  "short_id",
  "visibility",
  "benchmark_mode",
  "source",
  "server_id",
  "scores",
  "rank_badge",
  "algorithm_version",
  "hardware",
  "server",
  "certified",
  "certified_at",
  "created_at",
  "expires_at",
];
const addedFields = ["ran_at", "label"];

it("[REP-04] [REP-05] a report has the documented fields, in their order, and the added ones behind them", () => {
  expect(Object.keys(Report.shape)).toEqual([...reportFields, ...addedFields]);
});

it("[REP-04] only server_id, rank_badge, algorithm_version the dates and the label of a report may be null", () => {
  const nullable = Object.entries(Report.shape).filter(([, schema]) => schema.safeParse(null).success);
  expect(nullable.map(([key]) => key)).toEqual([
    "server_id",
    "rank_badge",
    "algorithm_version",
    "certified_at",
    "created_at",
    "expires_at",
    "label",
  ]);
});

it("[REP-13] a report in detail adds the documented fields, in their order", () => {
  expect(Object.keys(ReportDetail.shape)).toEqual([
    ...reportFields,
    ...addedFields,
    "sub_scores",
    "multipliers",
    "os_name",
    "java_version",
    "hosting_tier",
    "description",
    "plugin_count",
    "mod_count",
    "dispersed_zones",
    "conditions",
  ]);
});

it("[REP-09] [REP-10] [REP-12] [REP-14] every group has the documented members, in their order, each nullable", () => {
  const groups = { ...Report.shape, ...ReportDetail.shape };
  const members = {
    scores: "total single_core hardware gameplay",
    hardware:
      "cpu_name cpu_cores cpu_threads available_processors cpu_frequency_ghz ram_gb memory_limit_gb disk_type",
    server: "type type_name build game_version plugin_version is_hybrid mod_loader",
    sub_scores: "memory disk multi_core exploration entities mechanics",
    multipliers: "synergy_bonus duration gc stability_bonus",
  };
  for (const key of ["scores", "hardware", "server", "sub_scores", "multipliers"] as const) {
    const names = members[key].split(" ");
    expect(Object.keys(groups[key].shape)).toEqual(names);
    const allNull = Object.fromEntries(names.map((name) => [name, null]));
    expect(groups[key].parse(allNull)).toEqual(allNull);
  }
});

it("[REP-06] [REP-07] visibility, mode and source are closed lists", () => {
  expect(Visibility.options).toEqual(["public", "unlisted", "private"]);
  expect(BenchmarkMode.options).toEqual(["standard", "stresslimit", "custom"]);
  expect(ReportSource.options).toEqual(["manual", "auto_bench"]);
});

it("[REP-11] [REP-12] [OUR-PAY-14] what an upload says is laid out under the documented names", () => {
  const payload = acceptedPayload({
    plugin_version: "1.10.3",
    description: "our lobby\nafter the move",
    hosting_tier: "L",
    hardware: { available_processors: 2 },
    server: { mod_count: 7, mod_loader: "fabric-0.16" },
  });
  const content = reportContent(payload, scoreReport(payload));
  expect(content).toMatchObject({
    benchmark_mode: "standard",
    rank_badge: "gold",
    algorithm_version: "1",
    hardware: { cpu_name: "AMD Ryzen 7 7700", cpu_cores: 8, available_processors: 2, disk_type: "nvme" },
    server: { type: "paper", plugin_version: "1.10.3", mod_loader: "fabric-0.16" },
    os_name: "Debian GNU/Linux 12",
    java_version: "21.0.5",
    hosting_tier: "L",
    description: "our lobby\nafter the move",
    plugin_count: 12,
    mod_count: 7,
    dispersed_zones: 4,
  });
});

it("[REP-13] an accepted upload makes a report in detail, with nothing undeclared in it", () => {
  const detail = reportDetail();
  expect(ReportDetail.parse(detail)).toEqual(detail);
});
