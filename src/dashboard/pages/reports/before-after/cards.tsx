import { absence } from "../../../words/glossary.ts";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import { tieEdges } from "../../../../core/report/compare.ts";
import type { judgeBeforeAfter } from "../../../../endpoints/api/report/judge-before-after.ts";
import { Mark } from "../../../parts/mark.tsx";
import { Card, Notice, State } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import type { ReportNames } from "../report-name.tsx";
import { reachOf, TieBand } from "../tie-band.tsx";
import { clock, Text } from "../../../parts/value.tsx";
import { refusalWords, verdictCaveatWords, verdictWords } from "../../../words/before-after.ts";
import { contextWords, scoreWords } from "../../../words/reports.ts";
import { signed } from "../comparison/cards.tsx";

type BeforeAfterAnswer = PersonAnswer<typeof judgeBeforeAfter>;

export function BeforeAfterCards({ verdict, names }: { verdict: BeforeAfterAnswer; names: ReportNames }) {
  return (
    <>
      <VerdictCard verdict={verdict} />
      <Caveats caveats={verdict.caveats} />
      <div class="columns">
        <SideCard
          title="Before"
          side={verdict.before}
          least={verdict.thresholds.runs_per_side}
          names={names}
        />
        <SideCard title="After" side={verdict.after} least={verdict.thresholds.runs_per_side} names={names} />
      </div>
      {verdict.differences.length > 0 && <Differences differences={verdict.differences} />}
      {verdict.other_metrics.length > 0 && <Others others={verdict.other_metrics} />}
    </>
  );
}

function Verdict({ value }: { value: BeforeAfterAnswer["verdict"] }) {
  if (value === "improved") return <State means="good">{verdictWords[value]}</State>;
  if (value === "degraded") return <State means="bad">{verdictWords[value]}</State>;
  if (value === "inconclusive") return <State means="unknown">{verdictWords[value]}</State>;
  return <Mark shape="level">{verdictWords[value]}</Mark>;
}

function VerdictCard({ verdict }: { verdict: BeforeAfterAnswer }) {
  const { target, refusals, effect, conclusive, rule_version } = verdict;
  return (
    <section class="card verdict">
      <h2>
        <Verdict value={verdict.verdict} />
      </h2>
      <p>
        Judged by the score {scoreWords[target.metric]}
        {target.kind === "recommendation" && (
          <>
            {" "}
            for <code>{target.value}</code>
          </>
        )}
        .{!conclusive && " There is no verdict, not even that nothing changed:"}
      </p>
      {refusals.length > 0 && (
        <ul class="entries">
          {[...new Set(refusals.map(({ code }) => code))].map((code) => (
            <li key={code}>
              {refusalWords[code]}{" "}
              {refusals.flatMap(({ code: other, field }) =>
                other !== code || field === null ? [] : [<code key={field}>{field}</code>, " "],
              )}
            </li>
          ))}
        </ul>
      )}
      {effect && <Effect verdict={verdict} effect={effect} />}
      <p class="small quiet">rule version {rule_version}</p>
    </section>
  );
}

const fell = {
  improved: "above",
  degraded: "below",
  no_material_change: "inside",
  inconclusive: "open",
} as const;

function Effect({
  verdict,
  effect,
}: {
  verdict: BeforeAfterAnswer;
  effect: NonNullable<BeforeAfterAnswer["effect"]>;
}) {
  const { thresholds } = verdict;
  const [low = 0, high = 0] = effect.interval_percent;
  const band = {
    absolute: thresholds.tie_band_absolute,
    relative_percent: thresholds.tie_band_relative_percent,
  };
  const edges = tieEdges(verdict.before.median ?? 1, band);
  const reach = reachOf([low, high, effect.shift_percent]);
  const shift = `${signed(effect.shift_percent)}, between ${signed(low)} and ${signed(high)}`;
  return (
    <>
      <TieBand
        label={`After is ${shift} from before; the tie band reaches from ${signed(edges.below)} to ${signed(edges.above)}`}
        percent={effect.shift_percent}
        interval={[low, high]}
        reach={reach}
        fell={fell[verdict.verdict]}
        {...edges}
      />
      <p class="small quiet">
        The line is before, the shaded band is a tie, the mark is the median of all pairs, and the bar is its
        interval. The scale is ±{reach} %.
      </p>
      <Facts
        of={[
          ["Shift", signed(effect.shift_percent)],
          [`Interval, ${effect.confidence_percent} % sure`, `${signed(low)} to ${signed(high)}`],
          ["p, two-sided", String(effect.p_two_sided)],
          ["Pairs in which after is higher", `${effect.pairs_after_higher} of ${effect.pairs_total}`],
        ]}
      />
    </>
  );
}

function Caveats({ caveats }: { caveats: BeforeAfterAnswer["caveats"] }) {
  return (
    <Notice means="watch">
      <h2>Keep in mind</h2>
      <ul>
        {caveats.map(({ code, key, side, fields, value, unit }, index) => (
          <li key={index}>
            {verdictCaveatWords[code]}{" "}
            {[
              key && scoreWords[key],
              side && `side: ${side}`,
              fields?.map(contextWords).join(", "),
              value !== null && `${value} ${unit ?? ""}`.trim(),
            ]
              .filter(Boolean)
              .join(" · ")}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface SideCardProps {
  readonly title: string;
  readonly side: BeforeAfterAnswer["before"];
  readonly least: number;
  readonly names: ReportNames;
}

function SideCard({ title, side, least, names }: SideCardProps) {
  const { count, median, min, max, spread_percent, report_ids } = side;
  const measured = (value: number | null, unit = ""): string =>
    value === null ? "not measured" : `${value}${unit}`;
  return (
    <Card
      title={title}
      aside={count < least ? <State means="watch">{`${count} of ${least} runs`}</State> : `${count} runs`}
    >
      <Facts
        of={[
          ["Runs", String(count)],
          ["Median", measured(median)],
          ["Lowest", measured(min)],
          ["Highest", measured(max)],
          ["Spread", measured(spread_percent, " % of the highest")],
        ]}
      />
      <ul class="ids">
        {report_ids.map((id) => (
          <li key={id} class="small">
            <a href={`/reports/${id}`}>
              <RunName id={id} names={names} />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A report of other people has no name here, so its id is shown. */
function RunName({ id, names }: { id: string; names: ReportNames }) {
  const name = names.get(id);
  if (!name) return <span class="mono">{id}</span>;
  return <bdi>{[name.label ?? name.server_name, clock(name.measured_at)].filter(Boolean).join(" · ")}</bdi>;
}

function Differences({ differences }: { differences: BeforeAfterAnswer["differences"] }) {
  return (
    <Card title="What differs between the sides">
      <Table
        caption="What differs between the sides"
        rows={differences}
        rowKey={({ field }) => field}
        columns={[
          { head: "What", cell: ({ field }) => <code>{field}</code> },
          { head: "Before", cell: ({ before }) => <Value of={before} /> },
          { head: "After", cell: ({ after }) => <Value of={after} /> },
          {
            head: "Effect",
            cell: ({ declared, blocking }) =>
              blocking ? (
                <State means="bad">prevents a verdict</State>
              ) : (
                <Mark shape="info">{declared ? "declared" : "noted"}</Mark>
              ),
          },
        ]}
      />
    </Card>
  );
}

function Value({ of }: { of: string | number | boolean | null }) {
  return <Text value={of === null ? null : String(of)} none={of === "" ? absence.none : absence.unknown} />;
}

function Others({ others }: { others: BeforeAfterAnswer["other_metrics"] }) {
  return (
    <Card title="The other scores, by the same rule">
      <Table
        caption="The other scores"
        rows={others}
        rowKey={({ key }) => key}
        columns={[
          { head: "Score", cell: ({ key }) => scoreWords[key] },
          { head: "Verdict", cell: ({ verdict }) => <Verdict value={verdict} /> },
          {
            head: "Shift",
            number: true,
            cell: ({ shift_percent }) => signed(shift_percent),
          },
        ]}
      />
    </Card>
  );
}
