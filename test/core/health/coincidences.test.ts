import { expect, it } from "vitest";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import type { OpenLevel } from "../../../src/core/health/unusual-level.ts";
import { bandFrom, baselineWith } from "./buckets.ts";
import { eventOf, factsOf, hour, minute, noon, samplesOf } from "./facts.ts";

it("[OUR-HLT-37] takes only types of the list for changes, whatever a sender calls its events", () => {
  const events = ["hasOwnProperty", "constructor", "__proto__", "player_ban"].map((type) =>
    eventOf(type, noon - hour),
  );
  expect(evaluateHealth(factsOf({ events })).changes).toEqual([]);
});

it("[OUR-HLT-37] names what changed near the start of a finding, software first", () => {
  const since = noon - 40 * minute;
  const at = (before: number) => since + before * minute;
  const health = evaluateHealth(
    factsOf({
      samples: samplesOf((time) => ({ mspt: time >= since ? 60 : 20 })),
      events: [
        eventOf("player_ban", at(-1)),
        eventOf("plugin_updated", at(30)),
        eventOf("server_start", at(-2)),
        eventOf("plugin_updated", at(-20), { title: "MarketStalls" }),
        eventOf("setting_changed", at(-3)),
        eventOf("plugin_updated", at(-36)),
      ].toSorted((one, other) => other.receivedAt - one.receivedAt),
    }),
  );
  const coincidences = health.findings[0]?.coincides_with ?? [];
  expect(coincidences.map(({ kind }) => kind)).toEqual(["plugin_updated", "setting_changed", "restart"]);
  expect(coincidences[0]).toMatchObject({ subject: "MarketStalls" });
  expect(coincidences[0]?.minutes_before).toBeGreaterThan(14);
  expect(health.changes.map(({ kind }) => kind)).toEqual([
    "plugin_updated",
    "restart",
    "setting_changed",
    "plugin_updated",
    "plugin_updated",
  ]);
});

it("[OUR-HLT-261] names what changed when ticks became slower, not when more players made them late", () => {
  const [slower, late] = [noon - 150 * minute, noon - 40 * minute];
  const events = [
    eventOf("plugin_updated", late - 10 * minute, { title: "QuietPaths" }),
    eventOf("plugin_updated", slower - 5 * minute, { title: "MarketStalls" }),
  ];
  const samples = samplesOf((time) => ({ mspt: time >= late ? 60 : 40 }));
  const subjectsWith = (slowness: OpenLevel | null): unknown[] => {
    const usual = { baseline: null, slowness, past: [] };
    const late = evaluateHealth(factsOf({ samples, events, usual })).findings.find(
      ({ code }) => code === "tick_over_budget",
    );
    return late?.coincides_with.map(({ subject }) => subject) ?? [];
  };
  const evidence = { ...bandFrom(5), value: 60, measuredAt: noon };
  const open = { openedAt: slower, baseline: baselineWith(bandFrom(5)), evidence, notFelt: 0 };
  expect(subjectsWith({ ...open, since: slower })).toEqual(["MarketStalls"]);
  expect(subjectsWith({ ...open, since: late })).toEqual(["QuietPaths"]);
  expect(subjectsWith(null)).toEqual(["QuietPaths"]);
});

it("[OUR-HLT-37] names no crash or restart that a finding about unclean ends consists of", () => {
  const events = [
    eventOf("server_start", noon - 38 * minute),
    eventOf("server_crash", noon - 40 * minute),
    eventOf("server_start", noon - 48 * minute),
    eventOf("plugin_updated", noon - 50 * minute, { title: "MarketStalls" }),
  ];
  const crashed = evaluateHealth(factsOf({ events })).findings.find(({ code }) => code === "crashed");
  expect(crashed?.coincides_with.map(({ kind }) => kind)).toEqual(["plugin_updated", "restart"]);
});

it("[OUR-HLT-48] a window of maintenance coincides from its start to its end, and is listed in its turn", () => {
  const since = noon - 40 * minute;
  const samples = samplesOf((time) => ({ mspt: time >= since ? 60 : 20 }));
  const near = (from: number, to: number): unknown[] => {
    const maintenance = [{ startedAt: since + from * minute, endsAt: since + to * minute }];
    const firstSampleAt = noon - 3 * hour + 15_000;
    return evaluateHealth(factsOf({ samples, maintenance, firstSampleAt })).findings.flatMap(
      ({ coincides_with }) => coincides_with,
    );
  };
  expect(near(-180, -10)).toEqual([
    {
      kind: "maintenance",
      at: new Date(since - 10 * minute).toISOString(),
      subject: null,
      from: null,
      to: null,
      minutes_before: expect.closeTo(10, -1) as number,
    },
  ]);
  expect(near(-180, -36)).toEqual([]);
});
