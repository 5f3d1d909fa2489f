import type { ReportPayload } from "./payload.ts";
import type { RunConditions } from "./conditions.ts";
import type { ReportDetail } from "./report.ts";
import { runConditions } from "./run-conditions.ts";
import type { Scoring } from "./scoring.ts";

type RowFields =
  | "id"
  | "short_id"
  | "visibility"
  | "source"
  | "server_id"
  | "certified"
  | "certified_at"
  | "created_at"
  | "expires_at"
  | "ran_at"
  | "label"
  | "conditions";

/** The part of a report that depends on its upload alone. */
export interface ReportContent extends Omit<ReportDetail, RowFields> {
  /** Number of tests that report `unsteady`; absent if no test reports it, as in uploads of plugins. */
  readonly unsteady_tests?: number;
  /** Absent if the upload says nothing of its conditions, as those of plugins. */
  readonly conditions?: RunConditions | null;
}

function conditionsIn(payload: ReportPayload): Pick<ReportContent, "conditions"> {
  const conditions = runConditions(payload);
  return conditions === null ? {} : { conditions };
}

/** A test that is measured in slices has the flag `unsteady`: true if the slices differ too much. */
function unsteadyTests(tests: ReportPayload["tests"]): Pick<ReportContent, "unsteady_tests"> {
  const said = tests.flatMap(({ flags }) => {
    const unsteady = flags?.["unsteady"];
    return typeof unsteady === "boolean" ? [unsteady] : [];
  });
  return said.length === 0 ? {} : { unsteady_tests: said.filter(Boolean).length };
}

export function reportContent(payload: ReportPayload, scoring: Scoring): ReportContent {
  const { hardware, server } = payload;
  return {
    benchmark_mode: payload.benchmark_mode,
    scores: scoring.scores,
    rank_badge: scoring.rank_badge,
    algorithm_version: scoring.algorithm_version,
    hardware: {
      cpu_name: hardware.cpu_name,
      cpu_cores: hardware.cpu_cores,
      cpu_threads: hardware.cpu_threads,
      available_processors: hardware.available_processors,
      cpu_frequency_ghz: hardware.cpu_frequency_ghz,
      ram_gb: hardware.ram_gb,
      memory_limit_gb: hardware.memory_limit_gb,
      disk_type: hardware.disk_type,
    },
    server: {
      type: server.type,
      type_name: server.type_name,
      build: server.build,
      game_version: server.game_version,
      plugin_version: payload.plugin_version,
      is_hybrid: server.is_hybrid,
      mod_loader: server.mod_loader,
    },
    sub_scores: scoring.sub_scores,
    multipliers: scoring.multipliers,
    os_name: server.os_name,
    java_version: server.java_version,
    hosting_tier: payload.hosting_tier,
    description: payload.description,
    plugin_count: server.plugin_count,
    mod_count: server.mod_count,
    dispersed_zones: payload.dispersed_zones,
    ...unsteadyTests(payload.tests),
    ...conditionsIn(payload),
  };
}
