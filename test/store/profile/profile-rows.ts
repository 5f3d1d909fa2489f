import type { MemoryHead } from "../../../src/core/memory-report/head.ts";
import type { MemoryReportFilter, NewMemoryReport } from "../../../src/core/memory-report/records.ts";
import type { SummaryBody } from "../../../src/core/profile/profile.ts";
import type { NewProfile, ProfileFilter } from "../../../src/core/profile/records.ts";
import { toTimestampOrNull } from "../../../src/core/time.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import { readMemoryReport } from "../../../src/documents/memory-reports.ts";
import { readProfile } from "../../../src/documents/profiles.ts";
import { uploadOf } from "../../support/captures.ts";
import { newId, noon } from "../engine/rows.ts";

export const everyProfile: ProfileFilter = {
  serverId: null,
  trigger: null,
  owner: null,
  from: null,
  to: null,
};
export const everyReport: MemoryReportFilter = {
  serverId: null,
  kind: null,
  mode: null,
  from: null,
  to: null,
};

interface ProfileFacts {
  readonly localId: string;
  readonly capturedAt: number | null;
  readonly uploadedAt: number;
  readonly trigger: string | null;
  readonly owners: readonly string[];
}

const summaryOf = ({ localId, capturedAt, trigger, owners }: ProfileFacts): SummaryBody => ({
  schema: "service-profile-summary/1",
  local_id: localId,
  trigger,
  created_at: toTimestampOrNull(capturedAt),
  lag: { kind: "freeze", slow_ticks: 3 },
  window: { start: null, end: null, seconds: 60 },
  samples: { tick: 1200, total: 4000 },
  platform: { server_type: "paper", server_version: "1.21.4", java_version: null },
  warnings: [],
  owners_by_total: [],
  owners: owners.map((owner) => ({ owner, plugin: true, self_pct: 12.5, total_pct: 20 })),
  owners_complete: true,
  methods: [],
  categories: [{ category: "plugin", pct: 100 }],
  key_points: [],
});

/** A profile as an upload of that server stores it. */
export function newProfile(
  server: Pick<ServerRecord, "id">,
  changes: Partial<ProfileFacts> = {},
): NewProfile {
  const id = newId();
  const facts: ProfileFacts = {
    localId: `profile ${id}`,
    capturedAt: noon,
    uploadedAt: noon,
    trigger: "manual",
    owners: ["ShopPlugin", "server"],
    ...changes,
  };
  return {
    id,
    profileId: newId(),
    serverId: server.id,
    uploadedAt: facts.uploadedAt,
    ...readProfile(
      uploadOf("profile", {
        schema: "service-profile/1",
        local_id: facts.localId,
        plugin_version: "2.4.0",
        trigger: facts.trigger,
        lag: { kind: "freeze", longest_tick_ms: 812.5 },
        platform: { service_version: "1.9.0" },
        warnings: [{ code: "few-samples", params: { "\u0000": "\ud800" } }],
        frames: [
          { frame: "net.example.Shop.tick", owner: "ShopPlugin", plugin: true },
          { frame: "Æ\u{1F600}" },
        ],
        nodes: [
          { parent: -1, frame: 0, samples: 2 },
          { parent: 0, frame: 1, samples: 7 },
        ],
      }),
    ),
    summary: summaryOf(facts),
  };
}

/** A heap analysis as an upload of that server stores it. */
export function newMemoryReport(
  server: Pick<ServerRecord, "id">,
  changes: Partial<MemoryHead> = {},
  uploadedAt = noon,
): NewMemoryReport {
  const id = newId();
  const head: MemoryHead = {
    localId: `heap ${id}`,
    kind: "heap-analysis",
    schema: "service-heap-analysis/1",
    mode: "quick",
    requestedMode: "full",
    fallbackReason: "memory",
    heapBytes: 9_007_199_254_740_991,
    topOwner: "ShopPlugin",
    topOwnerPct: 12.34,
    suspectsCount: null,
    pluginVersion: "2.4.0",
    createdAt: noon,
    ...changes,
  };
  return {
    id,
    serverId: server.id,
    uploadedAt,
    ...readMemoryReport(
      uploadOf("memory_report", {
        schema: "service-heap-analysis/1",
        local_id: head.localId,
        mode: "quick",
        owners: [{ owner: "ShopPlugin", plugin: true, bytes: 4096, objects: 12 }],
      }),
    ),
    head,
  };
}
