import { expect, it } from "vitest";
import { thresholdWords, watchedWords, withUnit } from "../../../src/core/alert/message.ts";
import { shownMemory } from "../../../src/core/text/memory.ts";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import { factsOf, samplesOf } from "../health/facts.ts";

it.each([
  [9800, "9.6 GB"],
  [9216, "9.0 GB"],
  [9223.5, "9.0 GB"],
  [1024, "1.0 GB"],
  [60, "0.1 GB"],
  [50, "<0.1 GB"],
  [-50, "\u2212<0.1 GB"],
  [-2048, "-2.0 GB"],
  [0, "0.0 GB"],
])("[OUR-ALR-111] %s MB are %s", (mb, words) => {
  expect(shownMemory(mb)).toBe(words);
});

it("[OUR-ALR-111] a measured value is in GB, and a threshold in MB has the GB beside it", () => {
  expect(withUnit("ram_used_mb", 9223.5)).toBe("9.0 GB");
  expect(thresholdWords("ram_used_mb", 9800)).toBe("9800 MB (9.6 GB)");
  expect(withUnit("mspt", 50)).toBe("50 ms");
  const rule = { metric: "ram_used_mb", condition: "above", threshold: 9800, durationMinutes: 5 } as const;
  expect(watchedWords(rule)).toBe("Memory in use above 9800 MB (9.6 GB) for 5 min");
});

it("[OUR-ALR-111] [OUR-HLT-114] headlines write memory and windows as everything else does", () => {
  const full = samplesOf(() => ({ mspt: 12, rss_mb: 2950, container_limit_mb: 3072 }));
  const health = (samples: ReturnType<typeof samplesOf>) => evaluateHealth(factsOf({ samples }));
  expect(health(full).headline.text).toBe(
    "The process uses 96 % of its container's memory: 2.9 GB of 3.0 GB.",
  );
  const heap = health(samplesOf(() => ({ mspt: 12, ram_max_mb: 3072, heap_after_gc_mb: 2548 })));
  expect(heap.headline.text).toBe("The heap is 82.9 % full even after collections: 2.5 GB of 3.0 GB.");
  const late = health(samplesOf(() => ({ mspt: 61.44, mspt_p95: 80 })));
  const [finding] = late.findings;
  expect(finding?.evidence[0]).toMatchObject({ key: "mspt_median", value: 61.4 });
  expect(late.headline.text).toBe("Ticks take 61.4 ms of the 50 ms they have (median of 15 min).");
});
