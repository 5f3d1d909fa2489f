import type { AlertRecord } from "../alert/alert.ts";
import type { EventRecord } from "../event/server-event.ts";
import type { PastWindow } from "../maintenance/past-windows.ts";
import type { Sender } from "../server/link-code.ts";
import type { ServerState } from "../server/status.ts";
import type { ProfileRecord } from "../profile/records.ts";
import type { Instant } from "../time.ts";
import type { LevelBaseline, UnusualSpan } from "./baseline.ts";
import type { HealthField } from "./health-fields.ts";
import type { HealthSamples } from "./health-samples.ts";
import type { MonitoringTransition } from "./monitoring-transition.ts";
import type { FieldLow } from "./field-low.ts";
import type { EarlierEvaluation } from "./stored-health.ts";
import type { UncleanEnd } from "./unclean-end.ts";
import type { OpenLevel } from "./unusual-level.ts";

export const countedFields = [
  "entity_count",
  "loaded_chunks",
  "tile_entities",
] as const satisfies readonly HealthField[];
export type CountedField = (typeof countedFields)[number];

/** A field without a baseline is not judged. */
export type CountBaselines = Readonly<Partial<Record<CountedField, LevelBaseline>>>;

export interface UsualTicks {
  /** Null if nothing was measured yet, or nothing can be compared. */
  readonly baseline: LevelBaseline | null;
  readonly slowness: OpenLevel | null;
  /** Slowdowns that ended in the last 14 days, oldest first. */
  readonly past: readonly UnusualSpan[];
}

export interface HealthFacts {
  readonly serverId: string;
  readonly from: Instant;
  /** The end of the period, at which the server is judged. */
  readonly to: Instant;
  readonly state: ServerState;
  readonly stateSince: Instant | null;
  /** Set where the state is `unreachable` because of it. */
  readonly ended?: UncleanEnd;
  readonly bootAt: Instant | null;
  readonly sender: Sender;
  /** Oldest first; of the last three hours, or of a day if a finding began before them. */
  readonly samples: HealthSamples;
  /** Samples before this were not read. */
  readonly samplesFrom: Instant;
  /** All samples of the period and the newest one before it, oldest first, ms. */
  readonly sampleTimes: Float64Array;
  /** Until the end of the period, oldest first. */
  readonly transitions: readonly MonitoringTransition[];
  /** For a past period, the first sample after it; null if there is none yet. */
  readonly nextSampleAt: Instant | null;
  /** The oldest sample; null if there is none. */
  readonly firstSampleAt: Instant | null;
  /** Fields that were measured in the week before the last day. */
  readonly measuredBefore: ReadonlySet<HealthField>;
  /** Entries since `eventsFrom`, newest first; then those around older beginnings. */
  readonly events: readonly EventRecord[];
  readonly eventsFrom: Instant;
  /** Open or acknowledged, newest first. */
  readonly alerts: readonly AlertRecord[];
  readonly enabledRules: number;
  /** Null if there is none in the last week. */
  readonly newestProfile: ProfileRecord | null;
  /** The newest with the same trigger from before ticks became late; null while they are not. */
  readonly formerProfile: ProfileRecord | null;
  /** Of this boot, in steps of six hours, in order of time; empty before the boot is 48 hours old. */
  readonly heapLows: readonly FieldLow[];
  /** Of the free disk in the last seven days, in steps of six hours, in order of time; empty if it is not sent. */
  readonly diskLows: readonly FieldLow[];
  readonly usual: UsualTicks;
  /** Null if none was made since the oldest sample that was read. */
  readonly earlier: EarlierEvaluation | null;
  readonly countBaselines: CountBaselines;
  /** Null while the regression verdict is not `regression`. */
  readonly regressionSince: Instant | null;
  /** Windows that may reach into the period, in order of time. */
  readonly maintenance: readonly PastWindow[];
}
