import { leadScore, missingWords } from "../../../core/report/lead-score.ts";
import type { Report } from "../../../core/report/report.ts";
import { scoreWords } from "../../words/reports.ts";

/** 0 means that a test was not run, so it is not shown as a figure; null means that the run has no scores. */
export function Score({ value }: { value: number | null }) {
  if (value === null) return <span class="quiet">not scored</span>;
  if (value === 0) return <span class="quiet">not measured</span>;
  return <span class="quantity">{String(value)}</span>;
}

/** The total, or else the score of the measured part, with what is missing. */
export function LeadScoreCell({ scores }: { scores: Report["scores"] }) {
  const lead = leadScore(scores);
  if (lead.key === "total") return <Score value={lead.value} />;
  return (
    <>
      {scoreWords[lead.key].toLowerCase()} <Score value={lead.value} />
      <div class="small quiet">{missingWords(lead)}</div>
    </>
  );
}

/** As plain text: `total 1091`, `hardware 812 (gameplay not measured)`. */
export function leadText(scores: Report["scores"]): string {
  const lead = leadScore(scores);
  if (lead.value === null) return "no total";
  if (lead.value === 0) return missingWords(lead);
  const lacking = missingWords(lead);
  return `${scoreWords[lead.key].toLowerCase()} ${lead.value}${lacking === "" ? "" : ` (${lacking})`}`;
}

/** Of the reference host, for every score. */
const reference = 1000;

const width = 160;
const height = 12;

/** With a mark for the reference host. */
export function ScoreScale({ value, most }: { value: number | null; most: number }) {
  const at = (score: number): number => Math.round((Math.min(score, most) / most) * width * 10) / 10;
  return (
    <svg
      class="score-scale"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="ground" width={width} y="3" height={height - 6} />
      {value !== null && value > 0 && <rect class="value" width={at(value)} y="3" height={height - 6} />}
      <line class="centre" x1={at(reference)} x2={at(reference)} y1="0" y2={height} />
    </svg>
  );
}

/** Fits all values and the reference host. */
export const scaleOf = (values: readonly (number | null)[]): number =>
  Math.max(2 * reference, ...values.map((value) => value ?? 0));
