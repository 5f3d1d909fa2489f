import type { Report } from "./report.ts";

export interface LeadScore {
  readonly key: "total" | "hardware" | "gameplay" | "single_core";
  /** 0 if nothing was measured; null for a `custom` run, which has no scores. */
  readonly value: number | null;
  /** The parts of the total that were not measured; empty for a run with a total, and for a `custom` run. */
  readonly missing: readonly ("hardware" | "gameplay")[];
}

const isMeasured = (score: number | null): boolean => score !== null && score > 0;

/** The total, else the hardware, gameplay or single core score: an absent total is never shown as low. */
export function leadScore(scores: Report["scores"]): LeadScore {
  const { total, hardware, gameplay, single_core } = scores;
  if (total === null || total > 0) return { key: "total", value: total, missing: [] };
  const missing = (["hardware", "gameplay"] as const).filter((half) => !isMeasured(scores[half]));
  if (isMeasured(hardware)) return { key: "hardware", value: hardware, missing };
  if (isMeasured(gameplay)) return { key: "gameplay", value: gameplay, missing };
  if (isMeasured(single_core)) return { key: "single_core", value: single_core, missing };
  return { key: "total", value: 0, missing };
}

export const isHostOnly = ({ scores }: Pick<Report, "scores">): boolean =>
  isMeasured(scores.hardware) && scores.gameplay === 0;

/** Example: `gameplay not measured`; empty if nothing is missing. */
export const missingWords = ({ missing }: LeadScore): string =>
  missing.length === 0 ? "" : `${missing.join(" and ")} not measured`;
