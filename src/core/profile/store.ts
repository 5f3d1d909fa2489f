import type { Plans } from "../access/plan.ts";
import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { ProfileDocument } from "./document.ts";
import type { SummaryBody } from "./profile.ts";

/** A stored profile: its summary, and where the whole of it is. */
export interface ProfileRecord {
  readonly id: string;
  readonly serverId: string;
  /** As its owner names it now. */
  readonly serverName: string | null;
  /** Null once only the summary is left. */
  readonly profileId: string | null;
  readonly pluginVersion: string | null;
  readonly capturedAt: Instant | null;
  readonly uploadedAt: Instant;
  /** Known while the document is kept. */
  readonly longestTickMs: number | null;
  readonly serviceVersion: string | null;
  readonly summary: SummaryBody;
}

export interface NewProfile {
  readonly id: string;
  readonly profileId: string;
  readonly serverId: string;
  readonly uploadedAt: Instant;
  readonly summary: SummaryBody;
  readonly document: ProfileDocument;
}

export interface ProfileFilter {
  /** One server; null for all of the account's. */
  readonly serverId: string | null;
  readonly trigger: string | null;
  /** Exact name of an owner the summary lists. */
  readonly owner: string | null;
  /** By capture time, or by upload where that is unknown; `from` inclusive, `to` exclusive. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

export interface ProfileStore {
  /**
   * Stores a profile and its summary, unless the server sent its `local_id` before; either way answers the ids of
   * what is stored. Documents beyond what the owner's plan keeps go, the oldest first; their summaries stay.
   */
  insert(
    profile: NewProfile,
    plans: Plans,
  ): Promise<{ summaryId: string; profileId: string | null; created: boolean }>;
  /** Of the account's servers, newest first by the time of the filter. */
  list(
    accountId: string,
    filter: ProfileFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<ProfileRecord[]>;
  /** A profile of that server by its summary's or its own id. */
  find(serverId: string, id: string): Promise<ProfileRecord | null>;
  /** What was uploaded, unpacked; null once it is gone or when it cannot be read. */
  document(profileId: string): Promise<ProfileDocument | null>;
}
