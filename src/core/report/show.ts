import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import type { Viewer } from "../viewer.ts";
import type { Report, ReportDetail } from "./report.ts";
import type { ReportRecord } from "./records.ts";

export const isCertified = ({ certificateExpiresAt }: ReportRecord, now: Instant): boolean =>
  certificateExpiresAt !== null && certificateExpiresAt > now;

/** Only the owner of the originating server gets its `server_id`. */
export function toReport(record: ReportRecord, viewer: Viewer, now: Instant): Report {
  const { content } = record;
  return {
    id: record.id,
    short_id: record.shortId,
    visibility: record.visibility,
    benchmark_mode: content.benchmark_mode,
    source: record.source,
    server_id: viewer.accountId !== null && record.holderId === viewer.accountId ? record.serverId : null,
    scores: content.scores,
    rank_badge: content.rank_badge,
    algorithm_version: content.algorithm_version,
    hardware: content.hardware,
    server: content.server,
    certified: isCertified(record, now),
    certified_at: toTimestampOrNull(record.certifiedAt),
    created_at: toTimestamp(record.createdAt),
    expires_at: toTimestampOrNull(record.expiresAt),
    ran_at: toTimestamp(record.finishedAt),
    label: viewer.accountId !== null && record.authorId === viewer.accountId ? record.label : null,
  };
}

export function toReportDetail(record: ReportRecord, viewer: Viewer, now: Instant): ReportDetail {
  const { content } = record;
  return Object.assign(toReport(record, viewer, now), {
    sub_scores: content.sub_scores,
    multipliers: content.multipliers,
    os_name: content.os_name,
    java_version: content.java_version,
    hosting_tier: content.hosting_tier,
    description: record.description,
    plugin_count: content.plugin_count,
    mod_count: content.mod_count,
    dispersed_zones: content.dispersed_zones,
    conditions: content.conditions ?? null,
  });
}
