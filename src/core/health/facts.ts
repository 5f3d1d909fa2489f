import type { AlertRecord } from "../alert/alert.ts";
import type { EventRecord } from "../event/server-event.ts";
import type { PastWindow } from "../maintenance/past-windows.ts";
import type { Sender } from "../server/link-code.ts";
import type { ServerState } from "../server/status.ts";
import type { ProfileRecord } from "../profile/records.ts";
import type { Instant } from "../time.ts";
import type { LevelBaseline } from "./baseline.ts";
import type { HealthField } from "./health-fields.ts";
import type { HealthSamples } from "./health-samples.ts";
import type { MonitoringTransition } from "./monitoring-transition.ts";
import type { HeapLow } from "./memory-growth.ts";
import type { KnownBeginning } from "./stored-health.ts";
import type { OpenLevel } from "./unusual-level.ts";

/** Counts of the worlds, of which `more_than_usual` judges each. */
export const countedFields = [
  "entity_count",
  "loaded_chunks",
  "tile_entities",
] as const satisfies readonly HealthField[];
export type CountedField = (typeof countedFields)[number];

/** What was usual of each in the days before; a field without a baseline is not judged. */
export type CountBaselines = Readonly<Partial<Record<CountedField, LevelBaseline>>>;

/** How a server's ticks stand against what they usually need. */
export interface UsualTicks {
  /** Null where nothing was ever measured, or nothing can be compared. */
  readonly baseline: LevelBaseline | null;
  readonly slowness: OpenLevel | null;
}

/** Everything that the health of one server is worked out from. */
export interface HealthFacts {
  readonly serverId: string;
  readonly from: Instant;
  /** The end of the period, and the moment that is judged. */
  readonly to: Instant;
  readonly state: ServerState;
  readonly stateSince: Instant | null;
  readonly bootAt: Instant | null;
  readonly sender: Sender;
  /** Of the last three hours, oldest first; of a day where the beginning of a finding lies before. */
  readonly samples: HealthSamples;
  /** Samples before this were not read. */
  readonly samplesFrom: Instant;
  /** The instants of all samples of the period and of the newest one before it, oldest first, ms. */
  readonly sampleTimes: Float64Array;
  /** Announced silences and switches of monitoring before the end of the period, oldest first. */
  readonly transitions: readonly MonitoringTransition[];
  /** Of a period that is over, the first sample after it; null where none came yet. */
  readonly nextSampleAt: Instant | null;
  /** The oldest sample there is; null when none ever came. */
  readonly firstSampleAt: Instant | null;
  /** Fields that were measured in the week before the last day. */
  readonly measuredBefore: ReadonlySet<HealthField>;
  /** The timeline of the period and of the last day, with what may coincide with a finding of then, newest first; then that around older beginnings of a slowdown and a regression. */
  readonly events: readonly EventRecord[];
  /** Alerts that are open or acknowledged, newest first. */
  readonly alerts: readonly AlertRecord[];
  readonly enabledRules: number;
  /** The newest of a week. */
  readonly newestProfile: ProfileRecord | null;
  /** The newest of the same trigger from before the ticks became late; null while they are not. */
  readonly formerProfile: ProfileRecord | null;
  /** The heap of this boot in steps of six hours, in order of time; empty until it is 48 hours old. */
  readonly heapLows: readonly HeapLow[];
  readonly usual: UsualTicks;
  /** The beginning of one finding that was found before; null where none is known. */
  readonly knownBeginning: KnownBeginning | null;
  readonly countBaselines: CountBaselines;
  /** Since when the regression verdict is `regression`; null while it is not. */
  readonly regressionSince: Instant | null;
  /** Windows of maintenance that may reach into the period, in order of time. */
  readonly maintenance: readonly PastWindow[];
}
