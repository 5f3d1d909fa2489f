import {
  MemoryDocument,
  type HeapAnalysis,
  type HeapSummary,
} from "../../../src/core/memory-report/document.ts";
import type { ComparedReport } from "../../../src/core/memory-report/comparability.ts";
import { headOf } from "../../../src/core/memory-report/show.ts";
import type { MemoryReportRecord } from "../../../src/core/memory-report/records.ts";
import type { z } from "zod";

type Upload = z.input<typeof MemoryDocument>;
type SummaryUpload = Partial<z.input<typeof HeapSummary>>;
type AnalysisUpload = Partial<z.input<typeof HeapAnalysis>>;

export const mebibyte = 1024 * 1024;
export const serverId = "019a9f5e-1d00-7000-8000-000000000010";
export const reportId = (number: number) => `019a9f5e-1d00-7000-8000-${String(number).padStart(12, "0")}`;

/** A class histogram with two plugins: 1,000 bytes in all, the heap's use told as the same. */
export const summaryUpload = {
  schema: "service-heap-summary/1",
  local_id: "summary-1",
  created_at: "2026-11-20T07:00:00.000Z",
  plugin_version: "1.10.2",
  mode: "live",
  heap_used_bytes: 1000,
  heap_max_bytes: 4000,
  classes: [
    { class_name: "java.util.HashMap$Node", objects: 20, bytes: 400 },
    { class_name: "net.minecraft.world.level.chunk.LevelChunk", objects: 5, bytes: 250 },
    { class_name: "example.shop.Visit", owner: "Shop", plugin: true, objects: 10, bytes: 200 },
    { class_name: "example.maps.Tile", owner: "Maps", plugin: true, objects: 3, bytes: 90 },
    { class_name: "io.netty.buffer.PoolChunk", objects: 1, bytes: 60 },
  ],
} satisfies Upload;

/** A full analysis: 1,000 bytes of 1,200 are reachable, and Shop holds 300 of them. */
export const analysisUpload = {
  schema: "service-heap-analysis/1",
  local_id: "analysis-1",
  created_at: "2026-11-20T07:00:00.000Z",
  plugin_version: "1.10.2",
  mode: "full",
  requested_mode: "full",
  storage: "in-memory",
  totals: {
    objects: 90,
    classes: 2,
    shallow_bytes: 1200,
    reachable_bytes: 1000,
    unreachable_bytes: 200,
    heap_used_bytes: 1250,
    heap_max_bytes: 4000,
    gc_roots: 7,
  },
  owners: [
    { owner: "server", bytes: 500, objects: 50 },
    { owner: "Shop", plugin: true, bytes: 300, objects: 20 },
    { owner: "Maps", plugin: true, bytes: 100, objects: 5 },
  ],
  owners_complete: true,
  classes: [
    { class_name: "example.shop.Visit", owner: "Shop", objects: 10, bytes: 200 },
    { class_name: "java.lang.String", objects: 30, bytes: 90 },
  ],
  suspects: [],
  accumulation_points: [],
  game_objects: [],
} satisfies Upload;

const parsed = (upload: unknown): MemoryDocument => MemoryDocument.parse(upload);
export const summary = (changes: SummaryUpload = {}) => parsed({ ...summaryUpload, ...changes });
export const analysis = (changes: AnalysisUpload = {}) => parsed({ ...analysisUpload, ...changes });
export const totals = (changes: AnalysisUpload["totals"]) => ({ ...analysisUpload.totals, ...changes });

/** A leak suspect of that key and so many bytes. */
export const suspect = (key: string, retained_bytes: number) => ({
  key,
  kind: "single_object" as const,
  owner: "Shop",
  class_name: "example.shop.Visits",
  instances: 1,
  shallow_bytes: 48,
  retained_bytes,
});

export const point = (key: string, retained_bytes: number, elements = 1) => ({
  key,
  class_name: "java.util.HashMap",
  owner: "Shop",
  holder_class: "example.shop.Visits",
  holder_field: "byPlayer",
  elements,
  element_class: "example.shop.Visit",
  retained_bytes,
});

export const gameObjects = (owner: string, held: number, stale = 0) => ({
  owner,
  kind: "chunk" as const,
  class_name: "net.minecraft.world.level.chunk.LevelChunk",
  held,
  stale,
});

export const hour = 3_600_000;
export const now = Date.parse("2026-11-20T12:00:00.000Z");

export function recordOf(document: MemoryDocument, number: number): MemoryReportRecord {
  return {
    id: reportId(number),
    serverId,
    serverName: "Lobby",
    uploadedAt: now + number * hour,
    head: headOf(document),
  };
}

/** A report as the comparison takes it: of that hour after noon, by both clocks. */
export function reportOf(document: MemoryDocument, number: number): ComparedReport {
  const record = recordOf(document, number);
  const createdAt = record.uploadedAt - 60_000;
  return { record: { ...record, head: { ...record.head, createdAt } }, document };
}
