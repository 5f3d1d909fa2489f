import { secondMs, toTimestamp, toTimestampOrNull } from "../time.ts";
import { Category } from "./category.ts";
import { changesOf, type Changed } from "./changes.ts";
import { profileComparability } from "./comparability.ts";
import { documentShares } from "./document-shares.ts";
import type { ProfileDocument } from "./document.ts";
import { keyPointChanges } from "./key-point-changes.ts";
import { comparedMethods, comparedOwners, type ProfileComparison } from "./profile-comparison.ts";
import {
  readingOfSummary,
  summaryShares,
  type CategoryShare,
  type MethodShare,
  type OwnerShare,
  type Shares,
} from "./shares.ts";
import { profileTime } from "./show.ts";
import type { ProfileRecord } from "./records.ts";

/** `document` is null once only the summary is kept. */
export interface ProfileSide {
  readonly record: ProfileRecord;
  readonly document: ProfileDocument | null;
}

type ToldSide = ProfileComparison["base"];

/** The older profile was captured earlier, or uploaded if that is unknown, or has the smaller id. */
function isOlder(one: ProfileRecord, other: ProfileRecord): boolean {
  const apart = profileTime(one) - profileTime(other);
  return apart === 0 ? one.id <= other.id : apart < 0;
}

function shownSide({ record }: ProfileSide): ToldSide {
  const { local_id, trigger, platform, lag, window, samples, warnings } = record.summary;
  return {
    summary_id: record.id,
    profile_id: record.profileId,
    local_id,
    trigger,
    server_type: platform.server_type,
    server_version: platform.server_version,
    java_version: platform.java_version,
    captured_at: toTimestampOrNull(record.capturedAt),
    uploaded_at: toTimestamp(record.uploadedAt),
    lag: lag && { kind: lag.kind, slow_ticks: lag.slow_ticks },
    window_seconds: window.seconds,
    tick_samples: samples.tick,
    total_samples: samples.total,
    service_version: record.serviceVersion,
    warnings,
  };
}

/** Takes the documents if both are kept, because their lists are not cut. */
function sharesOf(base: ProfileSide, target: ProfileSide): [ProfileComparison["source"], Shares, Shares] {
  if (base.document === null || target.document === null) {
    return ["summaries", summaryShares(base.record.summary), summaryShares(target.record.summary)];
  }
  return ["documents", documentShares(base.document), documentShares(target.document)];
}

type Row<List extends "owners" | "methods" | "categories"> = ProfileComparison[List][number];

const ownerRow =
  (left: Shares, right: Shares) =>
  ({ item, base, target, change }: Changed<OwnerShare>): Row<"owners"> => ({
    owner: item.owner,
    plugin: item.plugin,
    ...change,
    base_total_pct: base === undefined ? left.owners.unlisted.pct : base.totalPct,
    target_total_pct: target === undefined ? right.owners.unlisted.pct : target.totalPct,
  });

const categoryRow = ({ item, change }: Changed<CategoryShare>): Row<"categories"> => ({
  category: item.category,
  ...change,
});

const methodRow = ({ item, change }: Changed<MethodShare>): Row<"methods"> => ({
  method: item.method,
  owner: item.owner,
  ...change,
});

/** The older profile is the base, whichever is given first. */
export function profileComparisonOf(one: ProfileSide, other: ProfileSide): ProfileComparison {
  const [older, newer] = isOlder(one.record, other.record) ? [one, other] : [other, one];
  const [source, left, right] = sharesOf(older, newer);
  const [base, target] = [shownSide(older), shownSide(newer)];
  const ticks = { base: left.ticks, target: right.ticks };
  const owners = changesOf(left.owners, right.owners, ticks, comparedOwners);
  const methods = changesOf(left.methods, right.methods, ticks, comparedMethods);
  const categories = changesOf(left.categories, right.categories, ticks, Category.options.length);
  const [from, to] = [older.record.capturedAt, newer.record.capturedAt];
  return {
    source,
    base,
    target,
    elapsed_seconds: from === null || to === null ? null : Math.round((to - from) / secondMs),
    comparability: profileComparability(
      {
        shown: base,
        ticks: left.ticks,
        unlistedOwnerPct: left.owners.unlisted.atMost,
        reading: readingOfSummary(older.record.summary),
      },
      {
        shown: target,
        ticks: right.ticks,
        unlistedOwnerPct: right.owners.unlisted.atMost,
        reading: readingOfSummary(newer.record.summary),
      },
    ),
    owners: owners.rows.map(ownerRow(left, right)),
    owners_truncated: owners.truncated,
    methods_truncated: methods.truncated,
    categories: categories.rows.map(categoryRow),
    methods: methods.rows.map(methodRow),
    key_points: keyPointChanges(older.record.summary.key_points, newer.record.summary, right),
  };
}
