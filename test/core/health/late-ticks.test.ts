import { expect, it } from "vitest";
import { lateFiguresOf } from "../../../src/core/health/late-ticks.ts";

it("[OUR-HPG-12] few ticks a second are late where MSPT is late too, or is not measured", () => {
  const late = { severity: "critical", threshold: 18 };
  const figures = (tps: number, mspt: number | null) => lateFiguresOf({ tps, mspt, mspt_p95: null });
  // A server that is set to 10 ticks a second is not slow.
  expect(figures(10, 5)).toEqual({});
  expect(figures(10, null)).toEqual({ tps: late });
  expect(figures(10, 100)).toEqual({ tps: late, mspt: { severity: "critical", threshold: 50 } });
  expect(figures(20, null)).toEqual({});
});
