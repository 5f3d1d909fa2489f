import type { BeforeAfterVerdict } from "../../../core/report/before-after/verdict.ts";

const before = ["p2v6k8hw3m9q", "p3c7r5xj8t2n", "p4d9w2fk6y5h"];
const after = ["q5m8t3vr7x2j", "q6h4k9pw2c8d", "q7y2f6nj5r3t"];

const id = (serial: number): string => `019a9f5e-1d00-7000-8000-0000000001${serial}`;

const ofCode = (code: BeforeAfterVerdict["caveats"][number]["code"]) => ({
  code,
  key: null,
  side: null,
  fields: null,
  value: null,
  unit: null,
});

/** Three runs before and three after a smaller activation range. */
const verdict: BeforeAfterVerdict = {
  rule_version: "1",
  verdict: "improved",
  conclusive: true,
  refusals: [],
  target: { value: "entities_activation_range", kind: "recommendation", metric: "entities" },
  declared: [],
  before: {
    report_ids: [id(10), id(11), id(12)],
    count: 3,
    median: 4000,
    min: 3980,
    max: 4050,
    spread_percent: 1.7,
  },
  after: {
    report_ids: [id(20), id(21), id(22)],
    count: 3,
    median: 4400,
    min: 4380,
    max: 4420,
    spread_percent: 0.9,
  },
  effect: {
    shift_percent: 10,
    interval_percent: [8.1, 11.1],
    confidence_percent: 90,
    p_two_sided: 0.1,
    pairs_total: 9,
    pairs_after_higher: 9,
  },
  thresholds: {
    runs_per_side: 3,
    tie_band_relative_percent: 5,
    tie_band_absolute: 1,
    min_gap_percent: 2.5,
    max_spread_percent: 20,
  },
  other_metrics: [
    { key: "total", verdict: "inconclusive", shift_percent: 3.2 },
    { key: "gameplay", verdict: "inconclusive", shift_percent: 3.9 },
    { key: "hardware", verdict: "no_material_change", shift_percent: 0.1 },
  ],
  differences: [
    {
      field: "config.activation_range_monsters",
      before: 32,
      after: 24,
      declared: true,
      blocking: false,
    },
  ],
  caveats: [
    ofCode("single_change_assumed"),
    { ...ofCode("small_sample"), value: 3, unit: "runs" },
    { ...ofCode("back_to_back_runs"), side: "after", value: 4.2, unit: "minutes" },
  ],
};

export const exampleBeforeAfter = {
  input: { before, after, target: "entities_activation_range" },
  output: verdict,
};
