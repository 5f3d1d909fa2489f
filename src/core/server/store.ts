import type { TraceOf } from "../event/trace.ts";
import type { PlanLimits } from "../access/plan.ts";
import type { ReportedSample } from "../metric/reported-sample.ts";
import type { TimePosition } from "../position.ts";
import type { Replay, Replayed } from "../replay.ts";
import type { Instant } from "../time.ts";
import type { Viewer } from "../viewer.ts";
import type { NewLinkCode, Sender } from "./link-code.ts";
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

export interface ServerStore {
  /** Servers the viewer may see, newest link first. */
  list(
    viewer: Viewer,
    filter: ServerFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<ServerRecord[]>;
  find(id: string, viewer: Viewer): Promise<ServerRecord | null>;
  /** A server of that account with everything its status is derived from. */
  findMonitored(id: string, accountId: string): Promise<MonitoredServer | null>;
  /** `traceOf` is asked about the change as it came about; one that changes nothing is not written. */
  update(id: string, changes: ServerChanges, traceOf?: TraceOf<ServerRecord>): Promise<void>;
  /** Takes a server's data or not, as far as `limits` go; resolves what alerts were open when it no longer does. */
  setMonitoring(change: MonitoringChange): Promise<"set" | "full">;
  /** Finds the server of a credential, notes its first use, and marks the server verified. */
  present(digest: string, now: Instant): Promise<PresentedServer | null>;
  /** A body or credential of this server was refused at `now`. */
  markRejected(id: string, now: Instant): Promise<void>;
}

/** Measurements as they arrive: acknowledged only after they are on disk. */
export interface SampleStore {
  /** Also evaluates the server's alert rules, in the same step. */
  recordHeartbeat(write: HeartbeatWrite): Promise<void>;
  /** Returns how many of them were new; a server's sample of the same instant is the same sample. */
  storeLate(serverId: string, samples: readonly SampleWrite[], now: Instant): Promise<number>;
}

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

export interface LinkStore {
  /** What asked for the code that linked this server. */
  senderOf(serverId: string): Promise<Sender>;
  /** False when the code is taken; an older unused code of the same installation stops working. */
  offer(code: NewLinkCode): Promise<boolean>;
  use(request: LinkRequest): Promise<LinkResult>;
  /** Answers a used code with a credential of that digest, in place of the last one, until one is first used. */
  claim(claimDigest: string, credentialDigest: string, now: Instant): Promise<ClaimResult>;
}

export interface NewGroup {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly color: GroupRecord["color"];
  readonly now: Instant;
  readonly limit: number;
}

export type GroupChanges = Partial<Pick<GroupRecord, "name" | "color" | "sortOrder">>;

export interface GroupStore {
  /** All groups of the account, by sort order, then age. */
  list(accountId: string): Promise<GroupRecord[]>;
  find(id: string, accountId: string): Promise<GroupRecord | null>;
  /** Makes the group, or finds the one that the same request already made; null at the limit. */
  create(group: NewGroup, replay: Replay): Promise<Replayed<GroupRecord> | null>;
  update(id: string, changes: GroupChanges, now: Instant): Promise<void>;
  /** Its servers stay, in no group. */
  remove(id: string, accountId: string): Promise<void>;
}
