import type { AlertRecord } from "../alert/alert.ts";
import type { EventRecord } from "../event/server-event.ts";
import type { Sample } from "../metric/sample.ts";
import type { PastWindow } from "../maintenance/past-windows.ts";
import type { Sender } from "../server/link-code.ts";
import type { ServerState } from "../server/status.ts";
import type { Instant } from "../time.ts";

/** The fields that rules look at, in the order in which samples are read. */
export const healthFields = [
  "tps",
  "mspt",
  "mspt_p95",
  "worst_tick_ms",
  "player_count",
  "ram_max_mb",
  "heap_after_gc_mb",
  "rss_mb",
  "container_limit_mb",
  "cpu_usage",
  "cpu_system",
  "gc_stw_ms",
] as const satisfies readonly (keyof Sample)[];
export type HealthField = (typeof healthFields)[number];

export type HealthSample = Readonly<Record<HealthField, number | null>> & { readonly at: Instant };

/** The shares of the newest profile that rules look at, percent of its tick samples. */
export interface ProfileFacts {
  readonly capturedAt: Instant;
  readonly heaviestPlugin: number | null;
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
  /** Of the last three hours, oldest first. */
  readonly samples: readonly HealthSample[];
  /** The instants of all samples of the period, oldest first, ms. */
  readonly sampleTimes: Float64Array;
  /** The oldest sample there is; null when none ever came. */
  readonly firstSampleAt: Instant | null;
  /** Fields that were measured in the week before the last day. */
  readonly measuredBefore: ReadonlySet<HealthField>;
  /** The timeline of the period, newest first. */
  readonly events: readonly EventRecord[];
  /** Alerts that are open or acknowledged, newest first. */
  readonly alerts: readonly AlertRecord[];
  readonly enabledRules: number;
  readonly profile: ProfileFacts | null;
  /** Since when the regression verdict is `regression`; null while it is not. */
  readonly regressionSince: Instant | null;
  /** Windows of maintenance that may reach into the period, in order of time. */
  readonly maintenance: readonly PastWindow[];
}
