import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { judgeScores, type Judgement } from "../../../../src/core/report/before-after/statistic.ts";
import { median } from "../../../../src/core/statistics/order.ts";
import { sharedData } from "../../../support/shared-data.ts";

const armsFile = sharedData("runs/paper_ab_raw.tsv");
const noiseFile = sharedData("runs/PERLIN_AB_summary.csv");

const rowsOf = (file: string | null): string[][] =>
  readFileSync(file ?? "", "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(/[\t,]/));

/** Times of the two arms as scores: half the time is twice the score, and the median of A is 1000. */
function judged(rows: readonly string[][], arm: number, column: number, other: string): Judgement {
  const times = (name: string): number[] =>
    rows.filter((row) => row[arm] === name).map((row) => Number(row[column]));
  const reference = median(times("A"));
  const scores = (name: string): number[] => times(name).map((time) => (1000 * reference) / time);
  return judgeScores(scores("A"), scores(other));
}

const told = (what: string, { decision, refusals, effect }: Judgement): string => {
  const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;
  const [low, high] = effect.interval;
  const line = [decision, ...refusals].join(" ");
  console.log(
    `${what.padEnd(26)} ${line.padEnd(30)} shift ${percent(effect.shift)} [${percent(low)}, ${percent(high)}], p ${effect.pTwoSided.toFixed(3)}`,
  );
  return line;
};

it.skipIf(armsFile === null || noiseFile === null)(
  "real runs: what scatters is refused, what clearly fell is called so",
  () => {
    const arms = rowsOf(armsFile);
    expect(told("wall time, A v B", judged(arms, 0, 3, "B"))).toBe("inconclusive runs_too_spread");
    expect(told("wall time, A v F", judged(arms, 0, 3, "F"))).toBe("inconclusive runs_too_spread");
    expect(told("column 6, A v B", judged(arms, 0, 5, "B"))).toBe("inconclusive runs_overlap");
    const fell = judged(arms, 0, 5, "F");
    expect(told("column 6, A v F", fell)).toBe("degraded");
    expect(fell.effect.shift).toBeGreaterThan(0.78);
    expect(fell.effect.shift).toBeLessThan(0.82);
    const noise = rowsOf(noiseFile);
    expect(told("PERLIN t_burst_s, A v B", judged(noise, 1, 2, "B"))).toBe("inconclusive runs_overlap");
    expect(told("PERLIN done_s, A v B", judged(noise, 1, 4, "B"))).toBe("no_material_change");
  },
);
