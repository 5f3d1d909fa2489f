import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getReport } from "../../../../endpoints/api/report/get-report.ts";
import { Card } from "../../../parts/state.tsx";
import { factorWords, scoreWords, spelled } from "../../../words/reports.ts";
import { leadScore, missingWords } from "../../../../core/report/lead-score.ts";
import { Score, ScoreScale, scaleOf } from "../score.tsx";

export type ReportShown = PersonAnswer<typeof getReport>;

type Place = NonNullable<ReportShown["standing"]>["total"];
type Named = readonly [name: string, value: number | null, place: Place];

const partsOf = ({
  scores,
  sub_scores,
  standing,
}: ReportShown): readonly (readonly [string, readonly Named[]])[] => [
  [
    "Scores",
    (["single_core", "hardware", "gameplay"] as const).map((key) => [
      scoreWords[key],
      scores[key],
      standing?.[key] ?? null,
    ]),
  ],
  [
    "Sub-scores",
    (["memory", "disk", "multi_core", "exploration", "entities", "mechanics"] as const).map((key) => [
      scoreWords[key],
      sub_scores[key],
      standing?.[key] ?? null,
    ]),
  ],
];

export function ScoresCard({ report }: { report: ReportShown }) {
  const { scores, sub_scores, multipliers, algorithm_version } = report;
  const most = scaleOf([...Object.values(scores), ...Object.values(sub_scores)]);
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
      <Leading report={report} most={most} />
      <div class="columns">
        {partsOf(report).map(([title, of]) => (
          <Part key={title} title={title} of={of} most={most} />
        ))}
        <Factors of={multipliers} />
      </div>
    </Card>
  );
}

interface LeadingProps {
  readonly report: ReportShown;
  readonly most: number;
}

/** A run without a total leads with what it measured, and names what is missing. */
function Leading({ report: { scores, standing, rank_badge: badge }, most }: LeadingProps) {
  const lead = leadScore(scores);
  const lacking = missingWords(lead);
  const keys = lead.key === "hardware" ? (["hardware", "single_core"] as const) : [lead.key];
  return (
    <>
      {keys.map((key) => (
        <div key={key} class="row">
          <div class="figure">
            <div class="small quiet">{scoreWords[key]}</div>
            <Score value={scores[key]} />
            <PlaceLine place={standing?.[key] ?? null} />
          </div>
          {badge !== null && <span class="badge">{badge}</span>}
          <ScoreScale value={scores[key]} most={most} />
        </div>
      ))}
      {lacking !== "" && (
        <p>
          {spelled(lacking)}, so there is no total and no badge. That says nothing about the speed of the
          server.
        </p>
      )}
    </>
  );
}

function Part({ title, of, most }: { title: string; of: readonly Named[]; most: number }) {
  return (
    <div class="stack-half">
      <h3>{title}</h3>
      <dl class="scores">
        {of.map(([name, value, place]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Score value={value} />
              <ScoreScale value={value} most={most} />
              <PlaceLine place={place} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Nothing for a score without a place. */
function PlaceLine({ place }: { place: Place }) {
  if (place === null) return null;
  return (
    <div class="small quiet">
      faster than {place.faster_than_percent} % of {place.reports} reports
    </div>
  );
}

function Factors({ of }: { of: ReportShown["multipliers"] }) {
  return (
    <div class="stack-half">
      <h3>Multipliers</h3>
      <dl class="scores">
        {(["synergy_bonus", "duration", "gc", "stability_bonus"] as const).map((key) => (
          <div key={key}>
            <dt>{factorWords[key]}</dt>
            <dd>{of[key] === null ? <span class="quiet">not applied</span> : `× ${of[key]}`}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
