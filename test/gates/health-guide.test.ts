import { expect, it } from "vitest";
import { playerBands } from "../../src/core/health/bands.ts";
import { baselineDays, leastBaselineBuckets, leastBaselineDays } from "../../src/core/health/baseline.ts";
import { findingCodes, healthVerdicts, type FindingCode } from "../../src/core/health/health.ts";
import { leastObservedMs } from "../../src/core/health/memory-growth.ts";
import * as limits from "../../src/core/health/thresholds.ts";
import { onlineWithinMs, unresponsiveFromMs } from "../../src/core/server/status.ts";
import { dayMs, hourMs, minuteMs } from "../../src/core/time.ts";
import { read } from "./sources.ts";

const guide = read("resources/guides/health.md");
const sections = new Map(
  guide.split(/^#{2,3} /m).map((part) => [part.split("\n", 1)[0] ?? "", part.replaceAll(/\s+/g, " ")]),
);

const seconds = (ms: number): string => `${ms / 1000} s`;
const minutes = (ms: number): string => `${ms / minuteMs} minutes`;
const hours = (ms: number): string => `${ms / hourMs} hours`;
const percent = (share: number): string => `${share * 100} %`;

/** What the section of each finding has to say; a finding without a number of its own has none. */
const said: Readonly<Record<FindingCode, readonly string[]>> = {
  server_down: [seconds(onlineWithinMs)],
  server_unresponsive: [seconds(unresponsiveFromMs)],
  crash_loop: [`${limits.crashLoop} times`, hours(limits.crashWindowMs)],
  crashed: [],
  tick_over_budget: [`${limits.tickBudgetMs} ms`, `${limits.tickWarningMs} ms`, `${limits.leastTps} TPS`],
  slower_than_usual: [
    `${baselineDays} days`,
    `${leastBaselineBuckets} of them`,
    `${leastBaselineDays} days`,
    "45 minutes",
    "80 %",
    "1.25 times",
    "5 ms",
    "an hour",
    ...playerBands.map(({ name }) => name.replace("-", " to ").replace("+", " or more")),
  ],
  tick_spikes: [`${limits.leastSpikes} samples`, `${limits.spikeMs} ms`, "2,000 ms"],
  plugin_heavy: [`${limits.pluginShare} %`, `${limits.profileMs / dayMs} days`],
  plugin_grew: [`${limits.pluginRise} points`],
  more_than_usual: ["1.5 times", "100 more"],
  disk_nearly_full: [
    percent(limits.diskWarning),
    percent(limits.diskCritical),
    `${limits.diskCriticalMb / 1024} GiB`,
    `${limits.diskFullWithinMs / dayMs} days`,
    `${limits.leastDiskLows} values`,
    `${limits.leastDiskGrowthMs / dayMs} days`,
  ],
  heap_near_full: [
    percent(limits.heapWarning),
    percent(limits.heapCritical),
    `${limits.leastHeapSamples} samples`,
    hours(limits.watchedMs),
  ],
  memory_growing: [hours(leastObservedMs), percent(limits.heapCritical), "three times"],
  container_near_limit: [percent(limits.containerWarning)],
  gc_heavy: [
    `${limits.leastSamplesNow} samples`,
    `${limits.gcInfo} %`,
    `${limits.gcWarning} %`,
    `${limits.gcCritical} %`,
  ],
  cpu_throttled: [`${limits.throttledCritical} %`],
  machine_saturated: [`${limits.machineBusy} %`],
  noisy_machine: [`${limits.othersUse} points`],
  benchmark_regression: [],
  nobody_told: [],
  in_app_only: [],
  data_missing: [minutes(limits.silentMs)],
  alert_open: [],
  no_alert_rules: [],
};

it("[OUR-HLT-67] the guide explains every finding and every verdict, and no other", () => {
  const headings = [...guide.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? "");
  expect(headings.toSorted()).toEqual(findingCodes.toSorted());
  const verdicts = [...(sections.get("The verdict") ?? "").matchAll(/- \*\*(\w+)\*\*/g)].map(
    ([, name]) => name,
  );
  expect(verdicts.toSorted()).toEqual(healthVerdicts.toSorted());
});

it.each(findingCodes)("[OUR-HLT-67] the guide names the thresholds of %s", (code) => {
  for (const words of said[code]) expect(sections.get(code)).toContain(words);
});

it("[OUR-HLT-67] the guide names what now is, and what coincides", () => {
  const verdict = sections.get("The verdict") ?? "";
  for (const words of [
    `last ${minutes(limits.nowMs)}`,
    `${limits.leastSamplesNow} samples`,
    `first ${minutes(limits.startingMs)}`,
    `${minutes(limits.coincidesBeforeMs)} before`,
    `${minutes(limits.coincidesAfterMs)} after`,
  ])
    expect(verdict).toContain(words);
});
