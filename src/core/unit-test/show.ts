import { toTimestamp, toTimestampOrNull } from "../time.ts";
import type { Viewer } from "../viewer.ts";
import type { UnitTestRecord } from "./records.ts";
import type { UnitTest, UnitTestDetail } from "./unit-test.ts";

/** Only the server's owner sees which server a test came from. */
export function toUnitTest(record: UnitTestRecord, viewer: Viewer): UnitTest {
  const { content } = record;
  return {
    id: record.id,
    short_id: record.shortId,
    test_id: content.test_id,
    test_name: content.test_name,
    display_name: content.display_name,
    category: content.category,
    sub_category: content.sub_category,
    benchmark_mode: content.benchmark_mode,
    visibility: record.visibility,
    source: record.source,
    success: content.success,
    outcome: content.outcome,
    reason_code: content.reason_code,
    duration_ms: content.duration_ms,
    server_id: viewer.accountId !== null && record.holderId === viewer.accountId ? record.serverId : null,
    parent_report_id: record.parentReportId,
    tps: content.tps,
    mspt: content.mspt,
    server: content.server,
    provider: record.provider,
    test_timestamp: toTimestampOrNull(record.testedAt),
    created_at: toTimestamp(record.createdAt),
    expires_at: toTimestampOrNull(record.expiresAt),
  };
}

export function toUnitTestDetail(record: UnitTestRecord, viewer: Viewer): UnitTestDetail {
  const { content } = record;
  return Object.assign(toUnitTest(record, viewer), {
    percentiles: content.percentiles,
    metrics: content.metrics,
    parameters: content.parameters,
    flags: content.flags,
    stress_result: content.stress_result,
    stress_progression: content.stress_progression,
    hardware: content.hardware,
    os_name: content.os_name,
    java_version: content.java_version,
    description: content.description,
  });
}
