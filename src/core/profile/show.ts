import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import type { DetailBody, ProfileDetail } from "./profile-detail.ts";
import {
  namedByTotalPct,
  rowPluginsByTotal,
  type AccountProfile,
  type OwnerShares,
  type ProfileSummary,
} from "./profile.ts";
import type { ProfileRecord } from "./records.ts";

export const profileTime = ({ capturedAt, uploadedAt }: ProfileRecord): Instant => capturedAt ?? uploadedAt;

export const toProfileSummary = (record: ProfileRecord): ProfileSummary => ({
  id: record.id,
  server_id: record.serverId,
  profile_id: record.profileId,
  uploaded_at: toTimestamp(record.uploadedAt),
  captured_at: toTimestampOrNull(record.capturedAt),
  summary: record.summary,
});

export function toAccountProfile(record: ProfileRecord): AccountProfile {
  const { trigger, lag, samples, owners, owners_by_total, owners_complete } = record.summary;
  // Owners are sorted by their own shares.
  const top = owners.find(({ plugin }) => plugin);
  return {
    id: record.id,
    server_id: record.serverId,
    server_name: record.serverName,
    profile_id: record.profileId,
    captured_at: toTimestampOrNull(record.capturedAt),
    uploaded_at: toTimestamp(record.uploadedAt),
    trigger,
    lag: lag && { ...lag, longest_tick_ms: record.longestTickMs },
    tick_samples: samples.tick,
    total_samples: samples.total,
    owners_by_total: owners_by_total && heavierByTotal([...owners, ...owners_by_total], top),
    top_plugin: top ? { owner: top.owner, self_pct: top.self_pct, total_pct: top.total_pct } : null,
    owners_complete,
  };
}

/** The plugins that stand on more stacks than the one with the largest own share, at most `rowPluginsByTotal`. */
const heavierByTotal = (owners: readonly OwnerShares[], top: OwnerShares | undefined): OwnerShares[] =>
  owners
    .filter(({ plugin, total_pct }) => plugin && total_pct >= namedByTotalPct)
    .filter(({ total_pct }) => total_pct > (top?.total_pct ?? 0))
    .toSorted(byTotal)
    .slice(0, rowPluginsByTotal);

/** By the share of the stacks that an owner is anywhere on, then by its own share, the heaviest first. */
export const byTotal = (
  one: Pick<OwnerShares, "owner" | "self_pct" | "total_pct">,
  other: Pick<OwnerShares, "owner" | "self_pct" | "total_pct">,
): number =>
  other.total_pct - one.total_pct || other.self_pct - one.self_pct || (one.owner < other.owner ? -1 : 1);

export function toProfileDetail(
  record: ProfileRecord,
  detail: DetailBody | null,
  baseUrl: string,
): ProfileDetail {
  const { serverId, profileId, summary } = record;
  return {
    id: profileId ?? record.id,
    server_id: serverId,
    local_id: summary.local_id ?? "",
    plugin_version: record.pluginVersion,
    trigger: summary.trigger,
    server_type: summary.platform.server_type,
    server_version: summary.platform.server_version,
    java_version: summary.platform.java_version,
    captured_at: toTimestampOrNull(record.capturedAt),
    uploaded_at: toTimestamp(record.uploadedAt),
    window_seconds: summary.window.seconds,
    tick_samples: summary.samples.tick,
    total_samples: summary.samples.total,
    url: profileId === null ? null : `${baseUrl}/servers/${serverId}/profiles/${profileId}`,
    detail,
  };
}
