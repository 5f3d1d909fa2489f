import type { Plans } from "../access/plan.ts";
import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { FlameGraph } from "./flame-graph.ts";
import type { DetailBody } from "./profile-detail.ts";
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

/** Answers about a profile that are worked out once, as packed JSON. */
export interface ProfileReadings {
  readonly detail: Uint8Array;
  readonly flameGraph: Uint8Array;
}

/** An upload after it was read: the facts its rows hold, and the document and its readings as packed JSON. */
export interface ReadProfile {
  readonly localId: string;
  readonly pluginVersion: string | null;
  readonly longestTickMs: number | null;
  readonly serviceVersion: string | null;
  readonly summary: SummaryBody;
  readonly document: Uint8Array;
  readonly readings: ProfileReadings;
}

export interface NewProfile extends ReadProfile {
  readonly id: string;
  readonly profileId: string;
  readonly serverId: string;
  readonly uploadedAt: Instant;
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
  /** What was uploaded, as packed JSON; null once it is gone. */
  document(profileId: string): Promise<Uint8Array | null>;
  /** The stored reading; null where none of this version is stored, or its bytes are damaged. */
  detail(profileId: string): Promise<DetailBody | null>;
  flameGraph(profileId: string): Promise<FlameGraph | null>;
  /** Keeps readings of a document that was stored without them, for as long as the document itself. */
  keepReadings(profileId: string, readings: ProfileReadings): Promise<void>;
}
