import { expect, it } from "vitest";
import { measuredName, unitSign } from "../../../src/dashboard/words/diagnosis.ts";

it.each([
  ["mspt_p95", "ms", "MSPT p95", "ms"],
  ["threshold_percent", "percent", "Threshold", "%"],
  ["tps_avg", "tps", "TPS avg", "TPS"],
  ["heap_max_mb", "MB", "Heap max", "MB"],
  ["tests", "count", "Tests", ""],
  ["collector", null, "Collector", ""],
])("[OUR-RPG-02] names %s in %s as people do", (key, unit, name, sign) => {
  expect([measuredName(key, unit), unitSign(unit ?? "")]).toEqual([name, sign]);
});
