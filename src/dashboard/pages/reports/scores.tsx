import type { Answered } from "../../../contract/call-as-person.ts";
import type { getReport } from "../../../endpoints/api/reports/get-report.ts";
import { Card } from "../../parts/state.tsx";
import { factorWords, scoreWords } from "../../words/reports.ts";
import { Score, ScoreScale, scaleOf } from "./score.tsx";

export type ReportShown = Answered<typeof getReport>;

type Named = readonly [name: string, value: number | null];

/** What was measured: the total, the scores it is made of, and the factors it was multiplied by. */
export function ScoresCard({ report }: { report: ReportShown }) {
  const { scores, sub_scores, multipliers, rank_badge, algorithm_version } = report;
  const most = scaleOf([...Object.values(scores), ...Object.values(sub_scores)]);
  const parts: readonly (readonly [title: string, of: readonly Named[]])[] = [
    [
      "Scores",
      (["single_core", "hardware", "gameplay"] as const).map((key) => [scoreWords[key], scores[key]]),
    ],
    [
      "Parts of them",
      (["memory", "disk", "multi_core", "exploration", "entities", "mechanics"] as const).map((key) => [
        scoreWords[key],
        sub_scores[key],
      ]),
    ],
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
              {of.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
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
            {(["synergy_bonus", "duration", "gc", "stability_bonus"] as const).map((key) => (
              <div key={key}>
                <dt>{factorWords[key]}</dt>
                <dd>
                  {multipliers[key] === null ? (
                    <span class="quiet">not applied</span>
                  ) : (
                    `× ${multipliers[key]}`
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Card>
  );
}
