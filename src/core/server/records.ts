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

/** What one heartbeat says, all of it as of that heartbeat; without a sample the one shown stays. */
export interface HeartbeatWrite {
  readonly serverId: string;
  readonly receivedAt: Instant;
  readonly bootTimestamp: Instant | null;
  readonly lastTickAgeMs: number | null;
  readonly announcement: Announcement | null;
  readonly sample: SampleWrite | null;
  /** What the owner's plan allows at this moment: the server's rules are judged by it. */
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

/** What a credential presents. */
export type PresentedServer =
  | { readonly kind: "linked"; readonly server: MonitoredServer }
  /** A newer credential took its place, or the server was unlinked or deleted: then there is no id to tell. */
  | { readonly kind: "revoked"; readonly serverId: string | null };

/** The server a used code makes, all but what the code's own facts say. */
export interface LinkRequest {
  readonly code: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly newServerId: string;
  readonly now: Instant;
  readonly maxServers: number;
  /** How many servers the account's plan monitors; zero switches monitoring off for the new one. */
  readonly monitoredServers: number;
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
