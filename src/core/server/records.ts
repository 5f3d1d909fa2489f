import type { PlanLimits } from "../access/plan.ts";
import type { ReportedSample } from "../metric/reported-sample.ts";
import type { Instant } from "../time.ts";
import type { GroupRecord } from "./server-group.ts";
import type { Announcement, MonitoredServer, ServerRecord } from "./server.ts";

export interface ServerFilter {
  readonly verified: boolean | null;
  /** An account id; null for no filter. */
  readonly ownerId: string | null;
}

export type ServerChanges = Partial<
  Pick<
    ServerRecord,
    "name" | "isPublic" | "showAddressOnReport" | "notifyOnReport" | "address" | "port" | "groupId"
  >
>;

/** Without a sample, the one shown stays. */
export interface HeartbeatWrite {
  readonly serverId: string;
  readonly receivedAt: Instant;
  readonly bootTimestamp: Instant | null;
  readonly lastTickAgeMs: number | null;
  readonly announcement: Announcement | null;
  readonly sample: SampleWrite | null;
  /** The limits of the owner's plan at this moment, by which the server's rules are judged. */
  readonly limits: PlanLimits;
}

export interface SampleWrite {
  readonly sampledAt: Instant;
  readonly reported: ReportedSample;
}

export interface MonitoringChange {
  readonly serverId: string;
  readonly accountId: string;
  readonly enabled: boolean;
  readonly limits: PlanLimits;
  readonly now: Instant;
}

export type PresentedServer =
  | { readonly kind: "linked"; readonly server: MonitoredServer }
  /** A newer credential replaced it, or the server was unlinked or deleted: then the id is null. */
  | { readonly kind: "revoked"; readonly serverId: string | null };

/** The new server, apart from the facts that are stored with the code. */
export interface LinkRequest {
  readonly code: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly newServerId: string;
  readonly now: Instant;
  readonly maxServers: number;
  /** The plan's number of monitored servers; 0 switches monitoring off for the new server. */
  readonly monitoredServers: number;
  /** The id of the first rule of a new server that is monitored; without one no rule is made. */
  readonly firstRuleId?: string;
}

export type LinkResult =
  | { readonly kind: "linked" | "same"; readonly server: ServerRecord }
  | { readonly kind: "already_linked"; readonly serverId: string }
  | { readonly kind: "unknown" | "full" };

export type ClaimResult =
  | { readonly kind: "pending" }
  | { readonly kind: "linked"; readonly serverId: string }
  | { readonly kind: "unknown" };

export interface NewGroup {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly color: GroupRecord["color"];
  readonly now: Instant;
  readonly limit: number;
}

export type GroupChanges = Partial<Pick<GroupRecord, "name" | "color" | "sortOrder">>;
