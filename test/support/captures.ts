import { saveMemoryReport } from "../../src/services/memory-report/save-memory-report.ts";
import { saveProfile } from "../../src/services/profile/save-profile.ts";
import type { Upload } from "../../src/contract/files/document-tasks.ts";
import type { AppContext } from "../../src/contract/call/app-context.ts";
import { exampleMemoryUpload } from "../../src/core/memory-report/example-document.ts";
import { exampleProfileUpload } from "../../src/core/profile/example-document.ts";
import { readMemoryReport } from "../../src/documents/memory-reports.ts";
import { readProfile } from "../../src/documents/profiles.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import type { Json } from "./payload.ts";

let serial = 0;

/** A profile and a report on the heap as a plugin sends them, with local ids no other has. */
export const profilePayload = (overrides: Json = {}): Json => ({
  ...exampleProfileUpload,
  local_id: `profile-${(serial += 1)}`,
  ...overrides,
});
export const memoryPayload = (overrides: Json = {}): Json => ({
  ...exampleMemoryUpload,
  local_id: `heap-${(serial += 1)}`,
  ...overrides,
});

/** JSON as it reaches whoever reads documents. */
export const uploadOf = (field: string, document: unknown): Upload => ({
  sent: { bytes: Buffer.from(JSON.stringify(document)), type: "application/json", gzipped: false },
  field,
  pointers: true,
});

/** Two profiles and two reports on the heap of a server, by their ids. */
export interface Captures {
  readonly profile: string;
  readonly summary: string;
  readonly otherSummary: string;
  readonly memoryReport: string;
  readonly otherMemoryReport: string;
}

/** Database them as the plugin API would. */
export async function captured(app: AppContext, server: Pick<ServerRecord, "id">): Promise<Captures> {
  const { db, secrets, plans } = app;
  const now = app.clock();
  const profile = async () => {
    const read = readProfile(uploadOf("profile", profilePayload()));
    const ids = { id: secrets.newId(now), profileId: secrets.newId(now), serverId: server.id };
    return saveProfile(db, { ...ids, uploadedAt: now, ...read }, plans);
  };
  const memoryReport = async () => {
    const read = readMemoryReport(uploadOf("memory_report", memoryPayload()));
    const id = secrets.newId(now);
    return saveMemoryReport(db, { id, serverId: server.id, uploadedAt: now, ...read }, plans);
  };
  const [one, other] = [await profile(), await profile()];
  const [report, otherReport] = [await memoryReport(), await memoryReport()];
  return {
    profile: one.profileId ?? "",
    summary: one.summaryId,
    otherSummary: other.summaryId,
    memoryReport: report.id,
    otherMemoryReport: otherReport.id,
  };
}

/** Inputs of the endpoints on profiles and memory reports that find something. */
export async function captureInputs(app: AppContext, server: ServerRecord): Promise<Record<string, Json>> {
  const { profile, summary, otherSummary, memoryReport, otherMemoryReport } = await captured(app, server);
  const server_id = server.id;
  return {
    "profiles.list": { server_id, days: 365, limit: 5 },
    "profiles.get": { server_id, profile_id: profile, owner: "shop" },
    "profiles.compare": { server_id, base: summary, target: otherSummary },
    "profiles.list_all": { server_id, trigger: "lag", owner: "Shop", limit: 5 },
    "memory_reports.list": { server_id, kind: "heap-analysis", limit: 5 },
    "memory_reports.get": { server_id, report_id: memoryReport },
    "memory_reports.compare": { server_id, base: memoryReport, target: otherMemoryReport },
    "memory_reports.list_all": { server_id, mode: "full", limit: 5 },
  };
}
