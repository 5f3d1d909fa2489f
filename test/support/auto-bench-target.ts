import type { TargetRecord } from "../../src/core/auto-bench/target.ts";
import type { Instant } from "../../src/core/time.ts";

/** A target of one run a job, without a schedule, made at that instant. */
export const targetOf = (
  whose: Pick<TargetRecord, "id" | "accountId" | "serverId">,
  now: Instant,
  changes: Partial<TargetRecord> = {},
): TargetRecord => ({
  ...whose,
  kind: "scheduled",
  name: "Nightly",
  enabled: true,
  mode: "standard",
  runsPerJob: 1,
  scheduleCron: null,
  nextRunAt: null,
  notes: null,
  consecutiveFailures: 0,
  disabledReason: null,
  lastLaunchedAt: null,
  createdAt: now,
  updatedAt: now,
  ...changes,
});
