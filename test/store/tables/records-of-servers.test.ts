import fc from "fast-check";
import { expect, test } from "vitest";
import { EventCategory, EventSeverity } from "../../../src/core/event/server-event.ts";
import { MemoryReportKind, MemoryReportSchema } from "../../../src/core/memory-report/memory-report.ts";
import { ReportSource, Visibility } from "../../../src/core/report/report.ts";
import { serverEventTable } from "../../../src/store/event/server-event-table.ts";
import { MaintenanceStarter } from "../../../src/core/maintenance/maintenance.ts";
import { maintenanceTable, recurringMaintenanceTable } from "../../../src/store/maintenance/tables.ts";
import { memoryReportTable } from "../../../src/store/memory-report/tables.ts";
import { profileSummaryTable } from "../../../src/store/profile/tables.ts";
import { reportTable } from "../../../src/store/report/report-table.ts";
import { securityLogTable } from "../../../src/store/security-log/security-log-table.ts";
import { serviceLogTable } from "../../../src/store/service-log/service-log-table.ts";
import { unitTestTable } from "../../../src/store/unit-test/unit-test-table.ts";
import { documents, expectRoundTrip, wordsOf } from "./records.ts";

const published = { visibility: wordsOf(Visibility), source: wordsOf(ReportSource) };

test("what is written of servers, their events and uploads is read as the same", () => {
  expectRoundTrip(serviceLogTable);
  expectRoundTrip(securityLogTable);
  expectRoundTrip(maintenanceTable, { started_by: wordsOf(MaintenanceStarter) });
  expectRoundTrip(recurringMaintenanceTable);
  const words = { category: wordsOf(EventCategory), severity: wordsOf(EventSeverity) };
  expectRoundTrip(serverEventTable, { ...words, metadata: fc.option(documents) });
  const head = { kind: wordsOf(MemoryReportKind), schema: wordsOf(MemoryReportSchema) };
  expectRoundTrip(memoryReportTable, head);
  expectRoundTrip(profileSummaryTable, { summary: documents });
  expectRoundTrip(reportTable, { ...published, content: documents });
  expectRoundTrip(unitTestTable, published);
});

const event = { id: "e", type: "restart", source: "plugin", title: "Restarted", description: null } as const;
const instants = { happenedAt: 1, durationMs: null, receivedAt: 2 } as const;

test("an event's row keeps its metadata as JSON text", () => {
  const category = "lifecycle" as const;
  const severity = "warning" as const;
  const record = { ...event, ...instants, serverId: "s", localId: null, category, severity };
  const row = { ...event, server_id: "s", local_id: null, category, severity };
  const stored = { ...row, happened_at: 1, duration_ms: null, received_at: 2 };
  const metadata = { half: "\uD800", nul: "\u0000" };
  const text = String.raw`{"half":"\ud800","nul":"\u0000"}`;
  expect(serverEventTable.toRow({ ...record, metadata })).toEqual({ ...stored, metadata: text });
  expect(serverEventTable.toRecord({ ...stored, metadata: text })).toEqual({ ...record, metadata });
  expect(() => serverEventTable.toRecord({ ...stored, metadata: "{" })).toThrow("server_event.metadata");
});

test("a memory report's row holds what stands in the record's head", () => {
  const kind = "heap-summary" as const;
  const schema = "service-heap-summary/1" as const;
  const head = { localId: "l", kind, schema, mode: null, requestedMode: null, fallbackReason: null };
  const figures = { heapBytes: 1, topOwner: "o", topOwnerPct: 0.5, suspectsCount: 2 };
  const record = { id: "m", serverId: "s", uploadedAt: 9 };
  const whole = { ...record, head: { ...head, ...figures, pluginVersion: null, createdAt: 8 } };
  expect(memoryReportTable.toRow(whole)).toEqual({
    id: "m",
    server_id: "s",
    local_id: "l",
    kind,
    schema,
    mode: null,
    requested_mode: null,
    fallback_reason: null,
    heap_bytes: 1,
    top_owner: "o",
    top_owner_pct: 0.5,
    suspects_count: 2,
    plugin_version: null,
    created_at: 8,
    uploaded_at: 9,
  });
});
