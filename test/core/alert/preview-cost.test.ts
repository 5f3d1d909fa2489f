import { expect, it } from "vitest";
import type { RuleSample } from "../../../src/core/alert/arrivals.ts";
import { RulePreview, type PreviewRequest } from "../../../src/core/alert/preview.ts";
import { processorMs, undisturbedMs } from "../../support/processor-time.ts";
import { second, start } from "./facts.ts";

/** Thirty days of samples every 30 s. */
const count = 86_400;
const to = start + count * 30 * second;
/** What 86,400 samples may cost, ms of the processor: each is replayed twice, as measured and as it came in. */
const mostMs = 120;
/** Parts of a history are as long as the store reads them. */
const partLength = 1000;

const tps = {
  metric: "tps",
  condition: "below",
  threshold: 18,
  durationMinutes: 5,
  cooldownMinutes: 30,
} as const;
const silence = { ...tps, metric: "offline", condition: null, threshold: null } as const;

interface Run {
  readonly ms: number;
  readonly episodes: number;
}

/** What a preview costs, ms of the processor, without what it takes to make the samples. */
function replayed(rule: PreviewRequest["rule"], valueOf: (index: number) => number | null): Run {
  const preview = new RulePreview({ rule, from: start, to, maintenance: [] });
  let ms = 0;
  for (let begin = 0; begin < count; begin += partLength) {
    const part: RuleSample[] = [];
    for (let index = begin; index < Math.min(count, begin + partLength); index += 1) {
      const sampledAt = start + index * 30 * second;
      const receivedAt = sampledAt + 200 + ((index * 7919) % 400);
      part.push({
        sampledAt,
        receivedAt,
        value: valueOf(index),
        pausedEmpty: valueOf(index) === null,
        targetTps: null,
      });
    }
    ms += processorMs(() => preview.add(part));
  }
  let episodes = 0;
  ms += processorMs(() => {
    episodes = preview.outcome().episodesTotal;
  });
  return { ms, episodes };
}

const evenings = (index: number): number =>
  index % 2880 > 2160 && index % 120 < 40 ? 12 + (index % 5) : 19.9;

it.each([
  ["a calm server", tps, () => 20, 0],
  ["bad evenings", tps, evenings, 180],
  ["values that jump about", { ...tps, durationMinutes: 0 }, (i: number) => ((i * 7919) % 1000) / 50, 1],
  ["a server that sleeps half of the time", tps, (i: number) => (i % 240 < 120 ? null : 20), 0],
  ["silence watched", silence, () => 20, 0],
] as const)(
  "[OUR-ALR-94] 30 days of %s take 120 ms of the processor at most",
  (name, rule, valueOf, least) => {
    expect(replayed(rule, valueOf).episodes).toBeGreaterThanOrEqual(least);
    const ms = undisturbedMs(mostMs, () => replayed(rule, valueOf).ms);
    console.log(`${name}: ${ms.toFixed(0)} ms for ${count} samples`);
    expect(ms).toBeLessThanOrEqual(mostMs);
  },
);
