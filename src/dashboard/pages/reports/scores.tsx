import type { Answered } from "../../../contract/call-as-person.ts";
import type { getReport } from "../../../endpoints/api/reports/get-report.ts";
import { Card } from "../../parts/state.tsx";
import { scoreWords, spelled } from "../../words/reports.ts";
import { Score, ScoreScale, scaleOf } from "./score.tsx";

export type ReportShown = Answered<typeof getReport>;

/** What was measured: the total, the scores it is made of, and the factors it was multiplied by. */
export function ScoresCard({ report }: { report: ReportShown }) {
  const { scores, sub_scores, multipliers, rank_badge, algorithm_version } = report;
  const most = scaleOf([...Object.values(scores), ...Object.values(sub_scores)]);
  const parts: [title: string, of: Record<string, number | null>][] = [
    ["Scores", { single_core: scores.single_core, hardware: scores.hardware, gameplay: scores.gameplay }],
    ["Parts of them", sub_scores],
  ];
  return (
    <Card
      title="Scores"
      aside={
        <span class="small quiet">
          {algorithm_version === null ? "not scored" : `scoring version ${algorithm_version}`} · 1000 is the{" "}
          <a href="/docs/guides/verdicts#scores">reference host</a>
        </span>
      }
    >
      <div class="row">
        <div class="figure">
          <div class="small quiet">Total</div>
          <Score value={scores.total} />
        </div>
        {rank_badge !== null && <span class="badge">{rank_badge}</span>}
        <ScoreScale value={scores.total} most={most} />
      </div>
      <div class="columns">
        {parts.map(([title, of]) => (
          <div key={title} class="stack-half">
            <h3>{title}</h3>
            <dl class="scores">
              {Object.entries(of).map(([key, value]) => (
                <div key={key}>
                  <dt>{scoreName(key)}</dt>
                  <dd>
                    <Score value={value} />
                  </dd>
                  <ScoreScale value={value} most={most} />
                </div>
              ))}
            </dl>
          </div>
        ))}
        <div class="stack-half">
          <h3>The total's factors</h3>
          <dl class="scores">
            {Object.entries(multipliers).map(([key, value]) => (
              <div key={key}>
                <dt>{spelled(key)}</dt>
                <dd>{value === null ? <span class="quiet">not applied</span> : `× ${value}`}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Card>
  );
}

const scoreName = (key: string): string =>
  Object.hasOwn(scoreWords, key) ? scoreWords[key as keyof typeof scoreWords] : spelled(key);
