import type { ImportedSample, SampleSource } from "../metric/imported.ts";
import type { Instant } from "../time.ts";
import type { SummaryBody } from "./profile.ts";

export interface ProfileRecord {
  readonly id: string;
  readonly serverId: string;
  /** The current name. */
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

/** Made once for each document; packed JSON. */
export interface ProfileReadings {
  readonly detail: Uint8Array;
  readonly flameGraph: Uint8Array;
}

/** An upload after it was read; `document` is packed JSON. */
export interface ReadProfile {
  readonly localId: string;
  readonly pluginVersion: string | null;
  readonly longestTickMs: number | null;
  readonly serviceVersion: string | null;
  readonly summary: SummaryBody;
  /** Null where the profile has no measurements. */
  readonly measured: { readonly source: SampleSource; readonly samples: readonly ImportedSample[] } | null;
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
  /** Null: all servers of the account. */
  readonly serverId: string | null;
  readonly trigger: string | null;
  /** Exact name of an owner the summary lists. */
  readonly owner: string | null;
  /** By capture, or by upload if that is unknown; `from` inclusive, `to` exclusive. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}
