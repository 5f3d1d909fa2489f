import type { LevelBaseline } from "../../core/health/baseline.ts";
import type { CountBaselines } from "../../core/health/facts.ts";
import type { SteadyField } from "../../core/health/health-fields.ts";
import type { FindingCode, HealthVerdict } from "../../core/health/health.ts";
import type { KeptLows } from "../../core/health/field-low.ts";
import type { TransitionKind } from "../../core/health/monitoring-transition.ts";
import type { Beginnings } from "../../core/health/stored-health.ts";
import type { SlownessCheckpoint } from "../../core/health/slowness-replay.ts";
import type { StoredHeadline } from "../../core/health/stored-headline.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { instant, jsonOf, table, text, textOf, type RowOf } from "../engine/table.ts";

export const serverHealthTable = table("server_health", {
  server_id: text,
  verdict: textOf<HealthVerdict>(),
  since: instant.nullable,
  reasons: jsonOf<readonly FindingCode[]>(),
  headline: jsonOf<StoredHeadline>(),
  evaluated_at: instant,
  verdict_from: instant,
  announced: textOf<HealthVerdict>(),
  beginnings: jsonOf<Beginnings>(),
  /** Data older than the evaluation arrived, the oldest of this time; null if none did. */
  reopened_from: instant.nullable,
});

/** What each server's ticks usually need, computed daily, and how the server compares with that. */
export const serverBaselineTable = table("server_baseline", {
  server_id: text,
  /** Start of the day (UTC) that is judged by it. */
  day: instant,
  baseline: jsonOf<LevelBaseline>(),
  /** Fields with values on the day before. */
  measured: jsonOf<readonly SteadyField[]>(),
  /** Null while nothing is slower than usual. */
  slow_state: jsonOf<LevelState>().nullable,
  /** Usual counts of the worlds: entities, loaded chunks and tile entities. */
  counts: jsonOf<CountBaselines>(),
  /** The minimum heap of every six hours of the days before; null if not read yet. */
  heap_lows: jsonOf<KeptLows>().nullable,
  /** Null if the baseline was not computed yet. */
  checkpoint: jsonOf<SlownessCheckpoint>().nullable,
  /** The least free disk of every six hours of the days before; null if not read yet. */
  disk_lows: jsonOf<KeptLows>().nullable,
});

/** Five-minute medians of one day: arrays of [bucket of the day, value of each field]. */
export const loadDayTable = table("load_day", {
  server_id: text,
  /** Start of the day (UTC). */
  day: instant,
  buckets: jsonOf<readonly (readonly (number | null)[])[]>(),
});

/** When a server announced a silence, and when its monitoring was switched off or on. */
export const monitoringTransitionTable = table("monitoring_transition", {
  server_id: text,
  at: instant,
  kind: textOf<TransitionKind>(),
});

export interface HealthTables {
  monitoring_transition: RowOf<typeof monitoringTransitionTable>;
  server_health: RowOf<typeof serverHealthTable>;
  server_baseline: RowOf<typeof serverBaselineTable>;
  load_day: RowOf<typeof loadDayTable>;
}
