import { expect, it } from "vitest";
import { DiagnosisCode } from "../../src/core/report/diagnosis/finding.ts";
import { hostReasons } from "../../src/core/report/diagnosis/host-rules.ts";
import { leastTicks, thresholds } from "../../src/core/report/diagnosis/thresholds.ts";
import { read } from "./sources.ts";

const guide = read("resources/guides/diagnosis.md");

/** The text below each code's heading. */
const sections = new Map(
  guide
    .split(/^#{2,3} /m)
    .map((part) => [part.split("\n", 1)[0] ?? "", part] as const)
    .filter(([heading]) => DiagnosisCode.options.some((code) => code === heading)),
);

/** How the guide writes the unit at the end of a threshold's name. */
const units = {
  Percent: "%",
  Ms: "ms",
  Ns: "ns",
  Iops: "reads a second",
  Tps: "TPS",
  Cores: "cores",
  Processors: "processors",
  Times: "times",
};

const numbersWithUnits = (text: string): Set<string> =>
  new Set(
    [
      ...text
        .replaceAll("\n", " ")
        .matchAll(/([\d,]+) (%|ms|ns|reads a second|TPS|cores|processors?|times)/g),
    ].map(([, value = "", unit = ""]) => `${Number(value.replaceAll(",", ""))} ${unit.replace(/r$/, "rs")}`),
  );

function written(name: string, value: number): string {
  const unit = Object.entries(units).find(([ending]) => name.endsWith(ending))?.[1];
  if (unit === undefined) throw new Error(`The threshold ${name} does not end with its unit.`);
  return `${value} ${unit}`;
}

it("[DIA-05] [OUR-DIA-18] the guide explains every code, and no other", () => {
  const headings = [...guide.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? "");
  expect(headings.toSorted()).toEqual(DiagnosisCode.options);
});

it.each(DiagnosisCode.options)("[OUR-DIA-18] the guide names every threshold of %s, and no other", (code) => {
  const rules = Object.entries(thresholds[code]).map(([name, value]) => written(name, value));
  expect([...numbersWithUnits(sections.get(code) ?? "")].toSorted()).toEqual([...new Set(rules)].toSorted());
});

it("[OUR-DIA-18] the guide names the reasons of hosts and the fewest ticks", () => {
  const named = [...(sections.get("host_constrained") ?? "").matchAll(/`(\w+)`/g)].map(
    ([, reason]) => reason,
  );
  expect(named).toEqual([...hostReasons]);
  expect(guide).toContain(`at least ${leastTicks} ticks`);
});
