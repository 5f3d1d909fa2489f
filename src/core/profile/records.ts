import type { Instant } from "../time.ts";
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
