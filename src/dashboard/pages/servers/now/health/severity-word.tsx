import type { FindingSeverity } from "../../../../../core/health/health.ts";
import { Mark } from "../../../../parts/mark.tsx";
import { State } from "../../../../parts/state.tsx";
import { severityMeanings } from "../../../../words/health.ts";

/** `info` has no colour, because nothing is wrong. */
export function SeverityWord({ of }: { of: FindingSeverity }) {
  if (of === "info") return <Mark shape="info">info</Mark>;
  return <State means={severityMeanings[of]}>{of}</State>;
}
