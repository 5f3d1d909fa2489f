import type { TuningCode } from "../../../../src/core/report/tuning/recommendation.ts";
import type { Scenario } from "./change.ts";
import { gameScenarios } from "./game-scenarios.ts";
import { jvmScenarios } from "./jvm-scenarios.ts";
import { machineScenarios } from "./machine-scenarios.ts";

export const scenarios: Record<TuningCode, Scenario> = {
  ...machineScenarios,
  ...jvmScenarios,
  ...gameScenarios,
};
