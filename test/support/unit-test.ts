import type { AppContext } from "../../src/contract/call/app-context.ts";
import type { ServerRecord } from "../../src/core/server/server.ts";
import { unitTestContent } from "../../src/core/unit-test/content.ts";
import type { NewUnitTest } from "../../src/core/unit-test/records.ts";
import { UnitTestUpload } from "../../src/core/unit-test/upload.ts";
import type { Json } from "./payload.ts";

let serial = 0;

/** A single test as a plugin sends it, with a local id no other has. */
export const unitTestPayload = (overrides: Json = {}): Json => ({
  local_id: `unit-${(serial += 1)}`,
  plugin_version: "1.10.2",
  display_name: "Mobs",
  test_timestamp: "2026-11-20T07:12:03.000Z",
  test_id: "entities_ai",
  test_name: "Mobs",
  category: "entities",
  sub_category: "ai",
  benchmark_mode: "standard",
  outcome: "success",
  success: true,
  duration_ms: 20_113,
  metrics: { entity_ticks_per_ms: 60, entity_count: 800, own: { deep: [1, null] } },
  parameters: { entities: 800 },
  flags: { warm: true },
  percentiles: { mspt_p95: 29.5 },
  tps: { avg: 19.9, min: 19.2, max: 20.1 },
  mspt: { avg: 21.4, min: 14.2, max: 47 },
  server: {
    type: "Paper",
    type_name: "Paper",
    game_version: "1.21.4",
    java_version: "21.0.5",
    os_name: "Debian",
  },
  hardware: {
    cpu_name: "AMD Ryzen 7 7700",
    cpu_cores: 8,
    cpu_threads: 16,
    available_processors: 6,
    ram_gb: 32,
    memory_limit_gb: 16,
    disk_type: "nvme",
  },
  description: "Two runs",
  parent_report_local_id: null,
  job_nonce: null,
  ...overrides,
});

const rung = (number: number, load: number, passed: boolean): Json => ({
  rung: number,
  load,
  unit: "entities",
  duration_ms: 20_000,
  ticks: 400,
  tps_avg: passed ? 20 : 17.5,
  mspt_avg: 31.2,
  mspt_p95: passed ? 47.9 : 58,
  mspt_max: 61.4,
  passed,
  stop_reason: passed ? null : "mspt_exceeded",
});

/** The same as a ramp that broke at its second load. */
export const rampPayload = (overrides: Json = {}): Json =>
  unitTestPayload({
    benchmark_mode: "tier",
    metrics: null,
    stress_result: {
      unit: "entities",
      first_load: 100,
      last_passing_load: 100,
      breaking_load: 125,
      rungs: 2,
      stop_reason: "mspt_exceeded",
    },
    stress_progression: [rung(1, 100, true), rung(2, 125, false)],
    ...overrides,
  });

/** The upload as an endpoint would store it. */
export function newUnitTest(
  { secrets }: Pick<AppContext, "secrets">,
  server: Pick<ServerRecord, "id" | "accountId">,
  payload: Json,
  changes: Partial<NewUnitTest> = {},
): NewUnitTest {
  const upload = UnitTestUpload.parse(payload);
  const createdAt = changes.createdAt ?? 0;
  return {
    id: secrets.newId(createdAt),
    shortId: secrets.newShortId(),
    localId: upload.local_id,
    serverId: server.id,
    authorId: server.accountId,
    parentReportLocalId: upload.parent_report_local_id,
    run: null,
    source: "manual",
    testedAt: null,
    createdAt,
    expiresAt: null,
    content: unitTestContent(upload),
    ...changes,
  };
}
