import { describe, expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import { ProfileIssueCode } from "../../../src/core/profile/profile-comparison.ts";
import type { SummaryBody } from "../../../src/core/profile/profile.ts";
import type { ProfileRecord } from "../../../src/core/profile/records.ts";
import { later, ownerOf, sideOf, summaryOf } from "./compared-profiles.ts";

type Platform = Partial<SummaryBody["platform"]>;

const comparability = (base: ProfileSide, target: ProfileSide) =>
  profileComparisonOf(base, target).comparability;

const ofBodies = (base: Partial<SummaryBody>, target: Partial<SummaryBody>) =>
  comparability(sideOf(summaryOf(base)), later(summaryOf(target)));

const platform = (given: Platform): Partial<SummaryBody> => ({
  platform: { server_type: "Paper", server_version: "1.21.4", java_version: "21.0.5", ...given },
});
const window = (seconds: number | null): Partial<SummaryBody> => ({
  window: { start: null, end: null, seconds },
});
const lag = (kind: string | null): Partial<SummaryBody> => ({ lag: { kind, slow_ticks: 3 } });
const ticks = (tick: number | null): Partial<SummaryBody> => ({
  samples: { tick, total: 5000 },
  owners: [ownerOf("server", 40)],
});
const nothing = (tick: number | null): Partial<SummaryBody> => ({ ...ticks(tick), owners: [] });
/** Ten owners, the last ones of these shares, and more that the list has no room for. */
const cut = (...shares: number[]): Partial<SummaryBody> => ({
  owners: [...Array.from({ length: 10 - shares.length }, () => 5), ...shares].map((pct, index) =>
    ownerOf(`P${index}`, pct),
  ),
  owners_complete: false,
  categories: [{ category: "plugin", pct: 100 }],
});
/** Of the samples only so many percent are in the tree. */
const partial = (held: number): Partial<SummaryBody> => ({
  owners: held > 0 ? [ownerOf("P0", held)] : [],
  owners_complete: false,
  categories: held > 0 ? [{ category: "plugin", pct: held }] : [],
});

describe("issues", () => {
  it.each<[string, Partial<SummaryBody>, Partial<SummaryBody>]>([
    ["trigger-differs caution manual import", { trigger: "manual" }, { trigger: "import" }],
    ["few-samples caution 199 5000", ticks(199), ticks(5000)],
    ["few-samples caution null 1", ticks(null), ticks(1)],
    ["few-samples caution 5000 3", ticks(5000), ticks(3)],
    [
      "server-type-differs caution Paper Purpur",
      platform({ server_type: "Paper" }),
      platform({ server_type: "Purpur" }),
    ],
    ["window-differs info 60 120", window(60), window(120)],
    ["window-differs info 60.5 30", window(60.5), window(30)],
    ["window-differs info 0 1", window(0), window(1)],
    ["lag-kind-differs info freeze sustained", lag("freeze"), lag("sustained")],
    [
      "server-version-differs info 1.21.3 1.21.4",
      platform({ server_version: "1.21.3" }),
      platform({ server_version: "1.21.4" }),
    ],
    ["java-version-differs info 17 21", platform({ java_version: "17" }), platform({ java_version: "21" })],
    ["owners-incomplete info 1.5 null", cut(4, 1.5), {}],
    ["owners-incomplete info null 2", {}, cut(4, 2)],
    ["owners-incomplete info 2 12.5", cut(2), partial(87.5)],
    ["owners-incomplete info 2 100", cut(2), partial(0)],
    ["reading-differs caution 1 2", { owners_by_total: null }, {}],
    ["reading-differs caution 2 1", {}, { owners_by_total: null }],
  ])("[PCM-07] [PCM-08] [OUR-PCM-07] [OUR-PRO-65] %s", (expected, base, target) => {
    const { issues } = ofBodies(base, target);
    expect(issues.map((issue) => Object.values(issue).map(String).join(" "))).toEqual([expected]);
  });

  it("[PCM-07] [OUR-PCM-07] service-version-differs compares what the full profiles told", () => {
    const side = (serviceVersion: string | null): Partial<ProfileRecord> => ({ serviceVersion });
    const of = (base: string | null, target: string | null) =>
      comparability(sideOf(summaryOf(), side(base)), later(summaryOf(), 60, side(target))).issues;
    const differs = { code: "service-version-differs", severity: "info", base: "1.9", target: "1.10" };
    expect([of("1.9", "1.10"), of("1.9", null), of("1.9", "1.9")]).toEqual([[differs], [], []]);
  });

  it.each<[string, Partial<SummaryBody>, Partial<SummaryBody>]>([
    ["a trigger that is not known", { trigger: null }, { trigger: "lag" }],
    ["200 tick samples", ticks(200), ticks(200)],
    ["an unknown number of them", ticks(null), ticks(null)],
    ["an unknown server", platform({ server_type: null }), platform({ server_version: null })],
    ["an unknown Java", platform({ java_version: null }), {}],
    ["windows just under twice as long", window(60), window(119.9)],
    ["an unknown window", window(null), window(3600)],
    ["two empty windows", window(0), window(0)],
    ["one lag only", lag("freeze"), {}],
    ["a lag of unknown kind", lag("freeze"), lag(null)],
  ])("[PCM-07] [PCM-08] [OUR-PCM-07] none of %s", (_, base, target) => {
    expect(ofBodies(base, target)).toEqual({ level: "comparable", issues: [] });
  });

  it("[PCM-07] [OUR-PCM-07] all of them come in the documented order", () => {
    const base = {
      owners_by_total: null,
      ...ticks(0),
      ...cut(3),
      ...window(10),
      ...lag("freeze"),
      trigger: "lag",
    };
    const target = {
      ...ticks(5000),
      ...window(60),
      ...lag("sustained"),
      ...platform({ server_type: "Folia", server_version: "1.20", java_version: "17" }),
    };
    const { level, issues } = comparability(
      sideOf(summaryOf(base), { serviceVersion: "1" }),
      later(summaryOf(target), 60, { serviceVersion: "2" }),
    );
    expect(issues.map(({ code }) => code)).toEqual(ProfileIssueCode.options);
    expect(level).toBe("not-comparable");
    expect(issues[0]).toEqual({ code: "no-tick-samples", severity: "blocking", base: 0, target: 5000 });
    expect(issues.at(-2)).toEqual({ code: "owners-incomplete", severity: "info", base: 3, target: null });
  });

  it.each([
    [nothing(0), ticks(900)],
    [nothing(null), ticks(900)],
    [ticks(900), nothing(null)],
    [nothing(0), nothing(0)],
  ])("[PCM-07] [OUR-PCM-06] no-tick-samples: 0, or neither a number nor a share of them", (base, target) => {
    const { level, issues } = ofBodies(base, target);
    const of = (body: Partial<SummaryBody>): number => body.samples?.tick ?? 0;
    expect(issues.map(({ code }) => code)).toEqual(["no-tick-samples", "few-samples", "owners-incomplete"]);
    expect(issues[0]).toMatchObject({ severity: "blocking", base: of(base), target: of(target) });
    expect(level).toBe("not-comparable");
  });

  it.each<[string, Partial<SummaryBody>, Partial<SummaryBody>]>([
    ["comparable", {}, {}],
    ["comparable", window(10), { ...window(60), ...cut(2) }],
    ["caution", { ...window(10), trigger: "lag" }, window(60)],
    ["not-comparable", { ...ticks(0), trigger: "lag" }, {}],
  ])("[PCM-06] [PCM-07] the level is %s, the worst of its issues", (level, base, target) => {
    expect(ofBodies(base, target).level).toBe(level);
  });
});
