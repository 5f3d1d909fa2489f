import { describe, expect, it } from "vitest";
import { evaluateHealth, findingsOf, lateTicksSince } from "../../../src/core/health/evaluate.ts";
import type { ProfileRecord } from "../../../src/core/profile/records.ts";
import { factsOf, hour, minute, noon, profileOf, samplesOf } from "./facts.ts";

const before = (plugins: Record<string, number>, changes: Parameters<typeof profileOf>[2] = {}) =>
  profileOf(noon - 5 * hour, plugins, changes);
const after = (plugins: Record<string, number>, changes: Parameters<typeof profileOf>[2] = {}) =>
  profileOf(noon - hour, plugins, changes);

const grew = (formerProfile: ProfileRecord | null, newestProfile: ProfileRecord): boolean =>
  findingsOf(factsOf({ formerProfile, newestProfile })).some(({ code }) => code === "plugin_grew");

describe("[OUR-HLT-43] plugin_grew", () => {
  it("holds from 5 points on", () => {
    expect(grew(before({ Shops: 5 }), after({ Shops: 10 }))).toBe(true);
    expect(grew(before({ Shops: 5 }), after({ Shops: 9.99 }))).toBe(false);
    expect(grew(null, after({ Shops: 19 }))).toBe(false);
    expect(grew(before({ Shops: 15 }), after({ Shops: 5 }))).toBe(false);
  });

  it("holds beyond the noise of the two profiles", () => {
    const few = { samples: { tick: 100, total: 100 } };
    // Two deviations: 200 * sqrt((0.05 * 0.95 + 0.15 * 0.85) / 100) = 8.37 points.
    expect(grew(before({ Shops: 5 }, few), after({ Shops: 13 }, few))).toBe(false);
    expect(grew(before({ Shops: 5 }, few), after({ Shops: 16 }, few))).toBe(true);
    const unknown = { samples: { tick: null, total: null } };
    expect(grew(before({ Shops: 5 }, unknown), after({ Shops: 19 }))).toBe(false);
    const none = { samples: { tick: 0, total: 0 } };
    expect(grew(before({ Shops: 5 }, none), after({ Shops: 19 }))).toBe(false);
  });

  it("takes a plugin that the former profile does not list for as much as it may have been", () => {
    const cut = { owners_complete: false, categories: [{ category: "other" as const, pct: 100 }] };
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`P${index}`, 4 + index / 10]));
    // The least of those listed has 4 %.
    expect(grew(before(ten, cut), after({ Shops: 9 }))).toBe(true);
    expect(grew(before(ten, cut), after({ Shops: 8.9 }))).toBe(false);
    expect(grew(before({ Other: 4 }), after({ Shops: 5 }))).toBe(true);
  });

  it("[OUR-HLT-46] names the plugin that grew most in a field of others' text, and nowhere else", () => {
    const health = evaluateHealth(
      factsOf({
        formerProfile: before({ Shops: 4, Maps: 3 }),
        newestProfile: after({ Maps: 30, Shops: 10 }),
      }),
    );
    const [finding] = health.findings;
    expect(finding).toMatchObject({
      code: "plugin_grew",
      severity: "warning",
      subject: "Maps",
      evidence: [
        { key: "plugin_share_rise", value: 27, threshold: 5 },
        { key: "plugin_self_share", value: 30 },
        { key: "plugin_self_share_before", value: 3 },
      ],
      next: [
        {
          tool: "compare_profiles",
          arguments: { base: `summary-${noon - 5 * hour}`, target: `summary-${noon - hour}` },
        },
        { tool: "get_profile", arguments: { profile_id: `profile-${noon - hour}` } },
        {},
      ],
    });
    expect(JSON.stringify([health.headline, finding?.evidence, finding?.next])).not.toContain("Maps");
    expect(health.findings[1]).toMatchObject({ code: "plugin_heavy", severity: "info", subject: "Maps" });
  });
});

it("[OUR-HLT-43] ticks are late since the finding that says it plainest", () => {
  const since = noon - 40 * minute;
  const samples = samplesOf((at, index) => ({
    mspt: at >= since ? 60 : 20,
    worst_tick_ms: index > 300 ? 900 : 60,
  }));
  const late = lateTicksSince(findingsOf(factsOf({ samples })));
  expect(Math.abs((late ?? 0) - since)).toBeLessThanOrEqual(5 * minute);
  const spikes = samplesOf((_, index) => ({ mspt: 20, worst_tick_ms: index >= 350 ? 900 : 60 }));
  expect(lateTicksSince(findingsOf(factsOf({ samples: spikes })))).toBe(spikes[350]?.at);
  expect(lateTicksSince(findingsOf(factsOf()))).toBeNull();
});
