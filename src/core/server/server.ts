import { z } from "zod";
import { Id } from "../id.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import type { Sample } from "../metric/sample.ts";
import type { PlanName } from "../access/plan.ts";
import type { Collecting } from "./collection.ts";

export const Server = z.object({
  id: Id,
  name: thirdPartyText(80).nullable(),
  owned_by_you: z.boolean(),
  verified: z.boolean(),
  verified_at: Timestamp.nullable(),
  is_public: z.boolean(),
  monitoring_enabled: z.boolean(),
  show_address_on_report: z.boolean(),
  notify_on_report: z.boolean(),
  address: thirdPartyText(255).nullable(),
  port: z.int().nullable(),
  group_id: Id.nullable(),
  last_heartbeat: Timestamp.nullable(),
  created_at: Timestamp.nullable(),
});
export type Server = z.infer<typeof Server>;

/** Instants are of receipt unless the name says otherwise. */
export interface ServerRecord {
  readonly id: string;
  readonly accountId: string;
  readonly installationId: string;
  readonly name: string | null;
  readonly verifiedAt: Instant | null;
  readonly isPublic: boolean;
  readonly monitoringEnabled: boolean;
  readonly showAddressOnReport: boolean;
  readonly notifyOnReport: boolean;
  readonly address: string | null;
  readonly port: number | null;
  readonly groupId: string | null;
  readonly linkedAt: Instant;
  readonly createdAt: Instant;
  readonly lastHeartbeat: Instant | null;
}

/** The last announcement of the plugin that it will be silent. */
export interface Announcement {
  readonly kind: "stopped" | "paused";
  readonly at: Instant;
}

export interface MonitoredServer extends ServerRecord {
  readonly ownerPlan: PlanName;
  /** The operator disabled the owner's account: nothing is accepted from its servers. */
  readonly ownerSuspended: boolean;
  readonly announcement: Announcement | null;
  /** By the plugin's clock. */
  readonly bootTimestamp: Instant | null;
  readonly lastTickAgeMs: number | null;
  readonly pausedSince: Instant | null;
  readonly lastRejectedAt: Instant | null;
  readonly sampledAt: Instant | null;
  readonly sampleReceivedAt: Instant | null;
  readonly sample: Sample | null;
  readonly collecting: Collecting;
  /** The version that the plugin or agent sent last. */
  readonly pluginVersion: string | null;
  /** 1 for the owner's most recently linked enabled server; servers not enabled have no rank. */
  readonly enabledRank: number;
  readonly enabledServers: number;
}

/** `viewer` is an account id; only the owner sees the group. */
export function toServer(record: ServerRecord, viewer: string): Server {
  const own = record.accountId === viewer;
  return {
    id: record.id,
    name: record.name,
    owned_by_you: own,
    verified: record.verifiedAt !== null,
    verified_at: toTimestampOrNull(record.verifiedAt),
    is_public: record.isPublic,
    monitoring_enabled: record.monitoringEnabled,
    show_address_on_report: record.showAddressOnReport,
    notify_on_report: record.notifyOnReport,
    address: record.showAddressOnReport ? record.address : null,
    port: record.port,
    group_id: own ? record.groupId : null,
    last_heartbeat: toTimestampOrNull(record.lastHeartbeat),
    created_at: toTimestampOrNull(record.createdAt),
  };
}
