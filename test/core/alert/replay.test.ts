import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RuleRecord } from "../../../src/core/alert/alert-rule.ts";
import { Driver, type Entry } from "./driver.ts";
import { ruleOf, sampleAt, second, start, sweepAt } from "./facts.ts";
import { sharedData } from "../../support/shared-data.ts";
import { SlowModel } from "./slow-model.ts";

const file = sharedData("rcon/paper-worldgen.tsv");

interface Row {
  readonly at: number;
  readonly mspt: number;
  readonly tps: number;
}

const recorded = (): Row[] =>
  readFileSync(file ?? "", "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t").map(Number))
    .map(([at = NaN, mspt = NaN, , , tps = NaN]) => ({ at, mspt, tps: Math.min(tps, 20) }));

/** What a plugin that reports every `interval` seconds would have sent, and the sweeps between. */
function entries(rows: readonly Row[], interval: number): Entry[] {
  const asItIs = { enabled: true, mutedUntil: null, acknowledges: false };
  const facts: Entry[] = [];
  const last = rows.at(-1)?.at ?? 0;
  for (let at = 0; at <= last; at += interval) {
    const row = rows.findLast((candidate) => candidate.at <= at);
    if (!row) throw new Error("the recording begins late");
    const now = start + at * second;
    const previousAt = at === 0 ? null : now - interval * second;
    facts.push({ ...asItIs, fact: sampleAt(now, { tps: row.tps, mspt: row.mspt }, { previousAt }) });
    facts.push({ ...asItIs, fact: sweepAt(now + second, { sampleReceivedAt: now }) });
  }
  return facts;
}

function replay(rule: RuleRecord, history: readonly Entry[]): string[] {
  const driver = new Driver(rule);
  const outcomes = history.map((entry) => driver.take(entry));
  expect(outcomes).toEqual(new SlowModel(rule, history).outcomes());
  return outcomes.flatMap(({ changes }, i) =>
    changes.map((change) => {
      const at = ((history[i]?.fact.now ?? NaN) - start) / second;
      if (change.kind === "open") return `${at} s: open at ${change.value}`;
      return change.kind === "resolve" ? `${at} s: ${change.reason}` : `${at} s: ${change.kind}`;
    }),
  );
}

const tps = (durationMinutes: number) =>
  ruleOf({ name: `TPS < 18 for ${durationMinutes} min`, durationMinutes });
const mspt = (durationMinutes: number, threshold = 50) =>
  ruleOf({
    name: `MSPT > ${threshold} for ${durationMinutes} min`,
    metric: "mspt",
    condition: "above",
    threshold,
    durationMinutes,
  });

describe.skipIf(file === null)("a Paper server that generates a world, as it was recorded", () => {
  it.each([
    // By hand from the file, every 30 s: 16.9 19.1 17.2 18.2 20 19 18.8 17.2 19.8 20 18.2 17.2 20.
    {
      rule: tps(0),
      expected: [
        "0 s: open at 16.9",
        "150 s: recovered",
        "210 s: open at 17.2",
        "300 s: recovered",
        "330 s: open at 17.2",
      ],
    },
    { rule: tps(1), expected: [] },
    { rule: tps(3), expected: [] },
    // The averages of five seconds stay below 35 ms, though single ticks took up to 2.7 s.
    { rule: mspt(0), expected: [] },
    { rule: mspt(1), expected: [] },
    { rule: mspt(3), expected: [] },
    // Every 30 s: 14.3 8.8 19.6 16.1 11.1 13.8 17.1 26.6 14.2 5.9 15.1 15.8 0.8; good again at 11 or less.
    { rule: mspt(0, 12), expected: ["0 s: open at 14.3", "60 s: worsen", "210 s: worsen"] },
    { rule: mspt(1, 12), expected: ["210 s: open at 26.6"] },
    { rule: mspt(3, 12), expected: [] },
  ])("$rule.name leads to what the figures say", ({ rule, expected }) => {
    const history = entries(recorded(), 30);
    const lines = replay(rule, history);
    console.log(`${rule.name}: ${lines.length === 0 ? "nothing opened" : lines.join("; ")}`);
    expect(lines).toEqual(expected);
    expect(history).toHaveLength(26);
  });
});
