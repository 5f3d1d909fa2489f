import { expect, it } from "vitest";
import { isHostOnly, leadScore, missingWords } from "../../../src/core/report/lead-score.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import { acceptedPayload, hostOnlyPayload } from "../../support/payload.ts";

const scores = (total: number, hardware: number, gameplay: number, single_core: number) => ({
  total,
  hardware,
  gameplay,
  single_core,
});

it("[OUR-SCO-19] a run without a total is represented by what it measured, and names what it did not", () => {
  const of = (...values: Parameters<typeof scores>) => leadScore(scores(...values));
  expect(of(1091, 1000, 1000, 900)).toEqual({ key: "total", value: 1091, missing: [] });
  expect(of(0, 812, 0, 900)).toEqual({ key: "hardware", value: 812, missing: ["gameplay"] });
  expect(of(0, 0, 700, 900)).toEqual({ key: "gameplay", value: 700, missing: ["hardware"] });
  const little = of(0, 0, 0, 900);
  expect(little).toEqual({ key: "single_core", value: 900, missing: ["hardware", "gameplay"] });
  expect(missingWords(little)).toBe("hardware and gameplay not measured");
  expect(of(0, 0, 0, 0)).toMatchObject({ key: "total", value: 0 });
  const custom = scoreReport(acceptedPayload({ benchmark_mode: "custom" }));
  expect(leadScore(custom.scores)).toEqual({ key: "total", value: null, missing: [] });
  expect(isHostOnly(custom)).toBe(false);
});

it("[OUR-SCO-19] a run of the host alone leads with its hardware score, and has no badge", () => {
  const scoring = scoreReport(hostOnlyPayload());
  expect(scoring.scores).toEqual({ total: 0, single_core: 1000, hardware: 1000, gameplay: 0 });
  expect(scoring.rank_badge).toBeNull();
  expect(isHostOnly(scoring)).toBe(true);
  expect(missingWords(leadScore(scoring.scores))).toBe("gameplay not measured");
  expect(isHostOnly(scoreReport(acceptedPayload()))).toBe(false);
});
