import * as fc from "fast-check";
import { Category } from "../../../src/core/profile/category.ts";
import { profileComparisonOf, type ProfileSide } from "../../../src/core/profile/compare.ts";
import type { ProfileDocument } from "../../../src/core/profile/document.ts";
import type { ProfileComparison } from "../../../src/core/profile/profile-comparison.ts";
import type { SummaryBody } from "../../../src/core/profile/profile.ts";
import type { ProfileRecord } from "../../../src/core/profile/records.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { anyDocument, documentOf } from "./any-profile.ts";

export const captured = Date.UTC(2026, 10, 20, 7);

export function summaryOf(body: Partial<SummaryBody> = {}, ticks: number | null = 1000): SummaryBody {
  return {
    schema: "service-profile-summary/1",
    local_id: "profile-1",
    trigger: "manual",
    created_at: "2026-11-20T07:00:00.000Z",
    lag: null,
    window: { start: null, end: null, seconds: 60 },
    samples: { tick: ticks, total: ticks },
    platform: { server_type: "Paper", server_version: "1.21.4", java_version: "21.0.5" },
    warnings: [],
    owners_by_total: [],
    owners: [],
    owners_complete: true,
    methods: [],
    categories: [],
    key_points: [],
    ...body,
  };
}

/** A profile of which only this summary is left. */
export function sideOf(summary: SummaryBody, row: Partial<ProfileRecord> = {}): ProfileSide {
  const record: ProfileRecord = {
    id: "s1",
    serverId: "server",
    serverName: "Lobby",
    profileId: null,
    pluginVersion: "1.10.0",
    capturedAt: captured,
    uploadedAt: captured + 2000,
    longestTickMs: null,
    serviceVersion: null,
    summary,
    ...row,
  };
  return { record, document: null };
}

/** The same server so many seconds later. */
export const later = (summary: SummaryBody, seconds = 3600, row: Partial<ProfileRecord> = {}): ProfileSide =>
  sideOf(summary, { id: "s2", capturedAt: captured + seconds * 1000, ...row });

/** Two summaries of so many tick samples, an hour apart. */
export const compared = (
  base: Partial<SummaryBody>,
  target: Partial<SummaryBody>,
  ticks = [1000, 1000],
): ProfileComparison =>
  profileComparisonOf(sideOf(summaryOf(base, ticks[0])), later(summaryOf(target, ticks[1])));

/** Members of a row in their documented order, on one line. */
export const line = (row: object | undefined): string =>
  Object.values(row ?? {})
    .map(String)
    .join(" ");

/** A profile that is kept whole. */
export const kept = (document: ProfileDocument, row: Partial<ProfileRecord> = {}): ProfileSide => ({
  ...sideOf(summarise(document), { profileId: `of ${row.id ?? "s1"}`, ...row }),
  document,
});

export type Owner = SummaryBody["owners"][number];

export const ownerOf = (owner: string, pct: number, total = pct, plugin = true): Owner => ({
  owner,
  plugin,
  self_pct: pct,
  total_pct: total,
});

const hundredths = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((value) => value / 100);

/** Names and shares, heaviest first, as a whole list before anything was cut off it. */
const sharesOf = <Name>(names: fc.Arbitrary<Name>, most: number, least = 0) =>
  fc
    .uniqueArray(fc.tuple(names, hundredths(7)), {
      selector: ([name]) => name,
      minLength: least,
      maxLength: most,
    })
    .map((shares) => shares.toSorted(([, a], [, b]) => b - a));

const ownerNames = fc.integer({ min: 1, max: 14 }).map((number) => `Plugin${number}`);

const ownersOf = (shares: readonly (readonly [string, number])[]): Owner[] =>
  shares.map(([name, pct]) => ownerOf(name, pct));

/** The whole list of owners of a profile, at most 14; and one that is about as long as a summary has room for. */
const anyOwners: fc.Arbitrary<Owner[]> = sharesOf(ownerNames, 14).map(ownersOf);
export const manyOwners: fc.Arbitrary<Owner[]> = sharesOf(ownerNames, 14, 8).map(ownersOf);

export const anyMethods: fc.Arbitrary<SummaryBody["methods"]> = sharesOf(ownerNames, 10).map((shares) =>
  shares.map(([owner, pct]) => ({ method: `net.example.${owner}.tick`, owner, pct })),
);

const anyCategories = sharesOf(fc.constantFrom(...Category.options), 28).map((shares) =>
  shares.map(([category, pct]) => ({ category, pct })),
);

export const anyTicks = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
  fc.constantFrom(0, null),
);

/** A summary as it is kept: the ten heaviest owners and methods. */
export const anySummary: fc.Arbitrary<SummaryBody> = fc
  .record({
    owners: anyOwners,
    methods: anyMethods,
    categories: anyCategories,
    ticks: anyTicks,
    trigger: fc.constantFrom(null, "manual", "lag"),
    seconds: fc.constantFrom(null, 0, 30, 60, 600),
    server: fc.constantFrom(null, "Paper", "Purpur"),
  })
  .map(({ owners, methods, categories, ticks, trigger, seconds, server }) =>
    summaryOf(
      {
        owners: owners.slice(0, 10),
        owners_complete: owners.length <= 10,
        methods,
        categories,
        trigger,
        window: { start: null, end: null, seconds },
        platform: { server_type: server, server_version: null, java_version: null },
      },
      ticks,
    ),
  );

const anyTime = fc.integer({ min: 0, max: 3 }).map((hours) => captured + hours * 3_600_000);

/** A profile of any summary, at one of few times so that ties occur. */
export const anySide = (id: string): fc.Arbitrary<ProfileSide> =>
  fc
    .tuple(anySummary, fc.option(anyTime), anyTime)
    .map(([summary, capturedAt, uploadedAt]) => sideOf(summary, { id, capturedAt, uploadedAt }));

const frames: readonly object[] = [
  { frame: null },
  { frame: "net.minecraft.server.MinecraftServer.tickServer" },
  { frame: "java.util.HashMap.get" },
  { frame: "libc.so.6.malloc" },
  { frame: null, owner: "Plugin1", plugin: true },
  ...Array.from({ length: 28 }, (_, index) => {
    const owner = `Plugin${index >> 1}`;
    return { frame: `net.example.${owner}.run${index}`, owner, plugin: true };
  }),
];

/** Any tree of calls of up to 14 plugins, more than a summary lists; some lost samples, or had stacks cut. */
const anyCrowd: fc.Arbitrary<ProfileDocument> = fc
  .record({
    calls: fc.array(fc.tuple(fc.nat(1000), fc.nat(frames.length - 1), fc.constantFrom(0, 0, 1, 7, 40, 300)), {
      maxLength: 50,
    }),
    isCut: fc.boolean(),
    tick: fc.constantFrom(null, null, 0, 400, 3000),
  })
  .map(({ calls, isCut, tick }) =>
    documentOf({
      frames,
      nodes: calls.map(([parent, frame, samples], index) => ({
        parent: (parent % (index + 1)) - 1,
        frame: isCut ? frame : Math.max(1, frame),
        samples,
      })),
      samples: { tick },
    }),
  );

export const anyProfile: fc.Arbitrary<ProfileDocument> = fc.oneof(anyCrowd, anyDocument);

/** A profile of any document, kept whole. */
export const anyKept = (id: string): fc.Arbitrary<ProfileSide> =>
  fc
    .tuple(anyProfile, fc.option(anyTime), anyTime)
    .map(([document, capturedAt, uploadedAt]) => kept(document, { id, capturedAt, uploadedAt }));
