import type { ServerBaseline } from "../../core/health/count-baselines.ts";
import type { HealthField } from "../../core/health/facts.ts";
import type { FindingCode, HealthVerdict, ServerHealth } from "../../core/health/health.ts";
import type { LevelState } from "../../core/health/unusual-level.ts";
import { instant, jsonOf, table, text, textOf, type RowOf } from "../engine/table.ts";

/** The newest evaluation of each server. */
export const serverHealthTable = table("server_health", {
  server_id: text,
  verdict: textOf<HealthVerdict>(),
  since: instant.nullable,
  reasons: jsonOf<readonly FindingCode[]>(),
  headline: jsonOf<ServerHealth["headline"]>(),
  evaluated_at: instant,
  verdict_from: instant,
  announced: textOf<HealthVerdict>(),
});

/** What is usual of each server, worked out once a day, and how its ticks stand against that. */
export const serverBaselineTable = table("server_baseline", {
  server_id: text,
  /** The start of the day (UTC) that is judged by it. */
  day: instant,
  baseline: jsonOf<ServerBaseline>(),
  /** Fields of which the day before had values. */
  measured: jsonOf<readonly HealthField[]>(),
  /** Null while nothing is slower than usual. */
  slow_state: jsonOf<LevelState>().nullable,
});

/** Medians of the five minutes of one day of a server: arrays of [bucket of the day, value of each field]. */
export const loadDayTable = table("load_day", {
  server_id: text,
  /** The start of the day (UTC). */
  day: instant,
  buckets: jsonOf<readonly (readonly (number | null)[])[]>(),
});

export interface HealthTables {
  server_health: RowOf<typeof serverHealthTable>;
  server_baseline: RowOf<typeof serverBaselineTable>;
  load_day: RowOf<typeof loadDayTable>;
}
