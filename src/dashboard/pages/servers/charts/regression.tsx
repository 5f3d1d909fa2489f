import { absence } from "../../../words/glossary.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import type { RegressionVerdict } from "../../../../core/server/regression/verdict.ts";
import { wordsOf } from "../server-state.tsx";
import { contextWords, scoreWords } from "../../../words/reports.ts";
import { Card, Notice, State, type Meaning } from "../../../parts/state.tsx";
import { Facts } from "../../../parts/table.tsx";
import { Quantity, Text, Time } from "../../../parts/value.tsx";

const meanings: Readonly<Record<RegressionVerdict["verdict"], Meaning>> = {
  regression: "bad",
  stable: "good",
  undecidable: "unknown",
};

const reasons: Readonly<Record<NonNullable<RegressionVerdict["reason"]>, string>> = {
  no_runs: "There was no scheduled benchmark in the window.",
  stale: "The newest scheduled benchmark is too old for a verdict on the present.",
  not_enough_runs: "There are too few days with comparable runs.",
  mixed_conditions: "The runs were made under conditions that changed too often to be compared.",
  awaiting_confirmation: "The newest points dropped. More points are needed to confirm a regression.",
  too_noisy: "The scores vary too much.",
  trend_down: "The scores fall slowly, without a clear beginning.",
  drop_not_excluded: "No drop was found, but one cannot be ruled out either.",
};

/** The verdict from the server's scheduled benchmarks. */
export function Regression({ verdict, sender }: { verdict: RegressionVerdict | null; sender: Sender }) {
  return (
    <Card
      title="Did the server get slower?"
      id="regression"
      aside={<a href="/docs/guides/verdicts">How this is judged</a>}
    >
      {verdict === null ? (
        <Notice>
          A verdict needs a verified server. The first contact of the {sender} after the link verifies the
          server.
        </Notice>
      ) : (
        <Judged verdict={verdict} />
      )}
    </Card>
  );
}

function Judged({ verdict }: { verdict: RegressionVerdict }) {
  const { runs, thresholds } = verdict;
  return (
    <>
      <div class="stack-half">
        <p class="judged">
          <State means={meanings[verdict.verdict]}>{wordsOf(verdict.verdict)}</State>
        </p>
        {verdict.reason !== null && (
          <p>
            {reasons[verdict.reason]} <code class="small quiet">{verdict.reason}</code>
          </p>
        )}
      </div>
      {verdict.metric === "hardware" && (
        <p class="small quiet">Gameplay was not measured by these runs, so their hardware score is judged.</p>
      )}
      {runs.total > 0 && <Figures verdict={verdict} />}
      <Caveats verdict={verdict} />
      <p class="small quiet">
        Rule {verdict.rule_version}: a drop of {thresholds.band_percent} % counts, p ≤ {thresholds.p}, at
        least {thresholds.min_points} days with runs, spread up to {thresholds.max_noise_percent} %.{" "}
        {verdict.first_report_id !== null && (
          <a href={`/reports/${verdict.first_report_id}`}>The first report of the drop</a>
        )}
      </p>
    </>
  );
}

function Figures({ verdict }: { verdict: RegressionVerdict }) {
  const { runs, baseline, recent, window } = verdict;
  return (
    <Facts
      of={[
        [
          `Change of the ${scoreWords[verdict.metric].toLowerCase()} score`,
          <Percent key="change" value={verdict.change_percent} />,
        ],
        ["Not below (95 %)", <Percent key="bound" value={verdict.lower_bound_percent} />],
        [
          "Before",
          baseline
            ? `median ${baseline.median}, n = ${baseline.points}, spread ${baseline.noise_percent} %`
            : unknown,
        ],
        ["Recent", recent ? `median ${recent.median}, n = ${recent.points}` : unknown],
        ["Since", verdict.since === null ? unknown : <Time key="since" at={verdict.since} />],
        [
          "Runs",
          `${runs.total} in ${window.days} d, ${runs.comparable} comparable, ${runs.points} days with runs`,
        ],
      ]}
    />
  );
}

const unknown = <span class="quiet">{absence.unknown}</span>;

function Percent({ value }: { value: number | null }) {
  if (value === null) return unknown;
  return (
    <>
      {value > 0 && "+"}
      <Quantity value={value} unit="%" digits={2} />
    </>
  );
}

/** Excluded runs, changes of other scores, and changes of the set-up. */
function Caveats({ verdict: { runs, other_metrics, context_changes } }: { verdict: RegressionVerdict }) {
  if (runs.excluded.length + other_metrics.length + context_changes.length === 0) return null;
  return (
    <ul class="caveats">
      {runs.excluded.map(({ reason, count }) => (
        <li key={reason}>
          {count} {count === 1 ? "run is" : "runs are"} left out: {wordsOf(reason)}
        </li>
      ))}
      {other_metrics.map(({ key, change_percent }) => (
        <li key={key}>
          {scoreWords[key]}: <Percent value={change_percent} />
        </li>
      ))}
      {context_changes.map(({ field, before, after, at }) => (
        <li key={`${field} ${at}`}>
          <Time at={at} />: {contextWords(field)} changed from <Context value={before} /> to{" "}
          <Context value={after} />
        </li>
      ))}
    </ul>
  );
}

const Context = ({ value }: { value: unknown }) => (
  <Text
    value={value === null ? null : typeof value === "string" ? value : JSON.stringify(value)}
    none="not reported"
  />
);
