import { describe, expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import type { KeyPoint } from "../../../src/core/profile/profile.ts";
import { captured, compared, later, line, ownerOf, sideOf, summaryOf } from "./compared-profiles.ts";

const hour = 3_600_000;

describe("shape", () => {
  it("[PCM-03] [PCM-05] [PCM-06] [PCM-12] has the documented fields, in their order", () => {
    const { base, comparability, owners, categories, methods, key_points } = ProfileComparison.shape;
    const keys = (schema: { readonly shape: object }): string => Object.keys(schema.shape).join(" ");
    const change =
      "base_pct target_pct base_at_most target_at_most delta_points delta_min delta_max noise_points beyond_noise status";
    expect(keys(ProfileComparison)).toBe(
      "source base target elapsed_seconds comparability owners owners_truncated methods_truncated categories methods key_points",
    );
    expect(keys(base)).toBe(
      "summary_id profile_id local_id trigger server_type server_version java_version captured_at uploaded_at lag window_seconds tick_samples total_samples service_version warnings",
    );
    expect(keys(comparability)).toBe("level issues");
    expect(keys(comparability.shape.issues.element)).toBe("code severity base target");
    expect(keys(owners.element)).toBe(`owner plugin ${change} base_total_pct target_total_pct`);
    expect(keys(categories.element)).toBe(`category ${change}`);
    expect(keys(methods.element)).toBe(`method owner ${change}`);
    expect(keys(key_points)).toBe("appeared resolved persisting");
  });

  it("[PCM-05] tells each side from its summary and its record", () => {
    const summary = summaryOf({
      warnings: ["few-samples", "stacks-cut"],
      lag: { kind: "freeze", slow_ticks: 4 },
    });
    const side = sideOf(summary, { profileId: "p1", serviceVersion: "1.10.0", capturedAt: null });
    expect(line(profileComparisonOf(side, later(summaryOf())).base)).toBe(
      "s1 p1 profile-1 manual Paper 1.21.4 21.0.5 null 2026-11-20T07:00:02.000Z [object Object] 60 1000 1000 1.10.0 few-samples,stacks-cut",
    );
  });
});

describe("which one is the base", () => {
  const at = (id: string, capturedAt: number | null, uploadedAt: number): ProfileSide =>
    sideOf(summaryOf(), { id, capturedAt, uploadedAt });

  it.each<[string, ProfileSide, ProfileSide, number | null]>([
    ["captured earlier", at("b", captured, captured + hour), at("a", captured + 1600, captured), 2],
    [
      "uploaded before the other was captured",
      at("b", null, captured),
      at("a", captured + 1, captured),
      null,
    ],
    ["uploaded earlier", at("b", null, captured), at("a", null, captured + 1), null],
    ["of the lesser id at the same time", at("a", captured, captured), at("b", captured, captured + 1), 0],
  ])("[PCM-02] [PCM-03] [OUR-PCM-01] the profile %s", (_, older, newer, seconds) => {
    for (const comparison of [profileComparisonOf(older, newer), profileComparisonOf(newer, older)]) {
      expect(comparison.base.summary_id).toBe(older.record.id);
      expect(comparison.target.summary_id).toBe(newer.record.id);
      expect(comparison.elapsed_seconds).toBe(seconds);
    }
  });
});

describe("key points", () => {
  const point = (code: KeyPoint["code"], more: Partial<KeyPoint>): KeyPoint => ({
    code,
    owner: null,
    category: null,
    pct: null,
    tick_samples: null,
    ...more,
  });

  it("[PCM-11] [OUR-PCM-09] came, stayed and went, by code, owner and category, with the newer profile's values", () => {
    const { key_points } = compared(
      {
        key_points: [
          point("few-samples", { tick_samples: 150 }),
          point("plugin-share", { owner: "Shop", pct: 30 }),
          point("plugin-share", { owner: "Old", pct: 25 }),
          point("category-share", { category: "entities", pct: 35 }),
        ],
      },
      {
        owners: [ownerOf("Shop", 26)],
        owners_complete: false,
        categories: [
          { category: "chunks", pct: 45 },
          { category: "entities", pct: 38 },
        ],
        key_points: [
          point("plugin-share", { owner: "Shop", pct: 26 }),
          point("category-share", { category: "chunks", pct: 45 }),
        ],
      },
      [150, 900],
    );
    expect(key_points).toEqual({
      appeared: [point("category-share", { category: "chunks", pct: 45 })],
      resolved: [
        point("few-samples", { tick_samples: 900 }),
        point("plugin-share", { owner: "Old", pct: null }),
        point("category-share", { category: "entities", pct: 38 }),
      ],
      persisting: [point("plugin-share", { owner: "Shop", pct: 26 })],
    });
  });

  it("[OUR-PCM-09] a plugin that went from a complete list is at 0 now", () => {
    const gone = point("plugin-share", { owner: "Old", pct: 25 });
    const { key_points } = compared({ key_points: [gone] }, { owners: [ownerOf("server", 90)] });
    expect(key_points.resolved).toEqual([{ ...gone, pct: 0 }]);
  });
});

describe("without ticks", () => {
  it("[PCM-07] [OUR-PCM-06] on one side nothing is known of any change, and what the other saw is told", () => {
    const { owners, categories, comparability } = compared(
      { owners: [ownerOf("A", 10)], categories: [{ category: "entities", pct: 10 }] },
      {},
      [1000, 0],
    );
    expect(comparability.level).toBe("not-comparable");
    expect(owners.map(line)).toEqual(["A true 10 null null 100 null null null null null unknown 10 null"]);
    expect(categories.map(line)).toEqual(["entities 10 null null 100 null null null null null unknown"]);
  });
});
