import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { toTell, type ChannelRecord } from "../../../src/core/alert/delivery.ts";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { findingCodes, type HealthFinding } from "../../../src/core/health/health.ts";
import { pages } from "../../../src/dashboard/pages/registry.ts";
import { tools } from "../../../tools/registry.ts";
import { alertOf } from "../../core/alert/alert-record.ts";
import { bandFrom, baselineWith, openState } from "../../core/health/buckets.ts";
import { day, eventOf, factsOf, hour, minute, noon, profileOf, samplesOf } from "../../core/health/facts.ts";

const id = (last: number): string => `0197aaaa-0000-7000-8000-00000000000${last}`;

const skipped: ChannelRecord = { ...toTell, status: "skipped" };
const silentAlert = alertOf({
  metric: "player_count",
  openedAt: noon - hour,
  delivery: { email: skipped, chat: skipped, in_app: skipped, webhook: null, second: null },
});

const alertInApp = {
  ...silentAlert,
  delivery: { ...silentAlert.delivery, in_app: { ...skipped, status: "sent" as const } },
};

const broken = (values: object, changes: Partial<HealthFacts> = {}): HealthFinding[] =>
  evaluateHealth(
    factsOf({ samples: samplesOf(() => ({ mspt: 12, player_count: 8, ...values })), ...changes }),
  ).findings;

const profile = (last: number, at: number, share: number, profileId: string | null) => ({
  ...profileOf(at, { Shops: share }),
  id: id(last),
  profileId,
});

const crash = eventOf("server_crash", noon - hour);

/** Servers of which each has some of the findings; together they have all. */
const findings: readonly HealthFinding[] = [
  ...broken({}, { state: "unreachable", events: [crash, crash], enabledRules: 0 }),
  ...broken({}, { state: "unresponsive", events: [crash] }),
  ...broken(
    { mspt: 70, worst_tick_ms: 900, entity_count: 9000, cpu_system: 99, cpu_usage: 90 },
    {
      newestProfile: profile(2, noon - hour, 40, id(3)),
      formerProfile: profile(4, noon - day, 10, null),
      usual: { baseline: null, slowness: openState.open, past: [] },
      countBaselines: { entity_count: baselineWith(bandFrom(5)) },
      regressionSince: noon - day,
    },
  ),
  ...broken(
    { ram_max_mb: 10_000, heap_after_gc_mb: 9500, rss_mb: 9900, container_limit_mb: 10_000, gc_stw_ms: 900 },
    {
      events: [eventOf("cpu_throttled", noon - minute)],
      newestProfile: profile(2, noon - hour, 40, null),
      alerts: [silentAlert, alertInApp],
      measuredBefore: new Set(["tps"]),
    },
  ),
  ...broken(
    { cpu_system: 99, cpu_usage: 20, ram_max_mb: 10_000, disk_free_mb: 900, disk_total_mb: 90_000 },
    {
      bootAt: noon - 4 * day,
      heapLows: Array.from({ length: 12 }, (_, index) => ({
        at: noon - 3 * day + index * 6 * hour,
        lowAt: noon - 3 * day + (index + 1) * 6 * hour,
        mb: 6000 + index * 100,
      })),
    },
  ),
];

it("[OUR-HLT-49] every finding has a next step, of a tool that takes its arguments or on a page that is there", () => {
  expect([...new Set(findings.map(({ code }) => code))].toSorted()).toEqual(findingCodes.toSorted());
  for (const { code, next } of findings) {
    expect([code, next.length > 0]).toEqual([code, true]);
    for (const { tool: name, arguments: given, page } of next) {
      expect([code, (name === null) !== (page === null)]).toEqual([code, true]);
      const tool = tools.find(({ definition }) => definition.name === name);
      if (name !== null)
        expect([name, tool?.view.endpoint.input.safeParse(given).error]).toEqual([name, undefined]);
      if (page === null) continue;
      const guide = /^\/docs\/guides\/(\w+)$/.exec(page);
      const isThere = guide
        ? existsSync(`resources/guides/${guide[1]}.md`)
        : pages.some(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[\\w-]+")}$`).test(page));
      expect([page, isThere]).toEqual([page, true]);
    }
  }
});
