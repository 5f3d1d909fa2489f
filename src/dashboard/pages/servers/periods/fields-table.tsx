import { absence } from "../../../words/glossary.ts";
import type { FieldComparison } from "../../../../core/metric/period-comparison.ts";
import { Mark } from "../../../parts/mark.tsx";
import { State } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Quantity } from "../../../parts/value.tsx";
import {
  comparedName,
  noVerdictWords,
  periodVerdictWords,
  preliminaryWords,
} from "../../../words/periods.ts";

const same = new Set<FieldComparison["verdict"]>(["no_difference", "cannot_tell"]);

/** The figures that differ; those that do not, or may not, are folded below them. */
export function FieldsTable({ fields }: { fields: readonly FieldComparison[] }) {
  const [others, differing] = [true, false].map((isSame) =>
    fields.filter(({ verdict }) => same.has(verdict) === isSame),
  );
  const notes = fields.flatMap(({ preliminary }) => (preliminary ? [preliminaryWords(preliminary)] : []));
  return (
    <>
      {differing && differing.length > 0 && <Rows caption="Figures that differ" fields={differing} />}
      {[...new Set(notes)].map((note) => (
        <p class="small quiet" key={note}>
          {note}
        </p>
      ))}
      {others && others.length > 0 && (
        <details>
          <summary>
            {others.length === 1 ? "One figure" : `${others.length} figures`} without a clear difference
          </summary>
          <Rows caption="Figures without a clear difference" fields={others} />
        </details>
      )}
    </>
  );
}

/** Each figure in both periods, with the difference and whether it exceeds the noise of such days. */
const Rows = ({ caption, fields }: { caption: string; fields: readonly FieldComparison[] }) => (
  <Table
    caption={caption}
    rows={fields}
    rowKey={({ field }) => field}
    columns={[
      { head: "Figure", cell: ({ field }) => comparedName(field) },
      {
        head: "Verdict",
        wide: true,
        cell: ({ verdict, reason }) => (
          <>
            <PeriodVerdictWord verdict={verdict} />
            {reason !== null && <span class="small quiet">{noVerdictWords[reason]}</span>}
          </>
        ),
      },
      {
        head: "Earlier",
        number: true,
        cell: ({ base, unit }) => <Quantity value={base.median} unit={unit} digits={2} />,
      },
      {
        head: "Later",
        number: true,
        cell: ({ target, unit }) => <Quantity value={target.median} unit={unit} digits={2} />,
      },
      { head: "Difference", number: true, cell: (field) => <Difference of={field} /> },
      { head: "Interval", number: true, cell: (field) => <Interval of={field} /> },
    ]}
  />
);

export function PeriodVerdictWord({ verdict }: Pick<FieldComparison, "verdict">) {
  const word = periodVerdictWords[verdict];
  switch (verdict) {
    case "better":
    case "preliminary_better":
      return <State means="good">{word}</State>;
    case "worse":
    case "preliminary_worse":
      return <State means="bad">{word}</State>;
    case "higher":
      return <Mark shape="above">{word}</Mark>;
    case "lower":
      return <Mark shape="below">{word}</Mark>;
    case "no_difference":
      return <Mark shape="level">{word}</Mark>;
    case "cannot_tell":
      return <State means="unknown">{word}</State>;
  }
}

/** Tells whether the loads were made equal, because the medians do not show it. */
function Difference({ of: { shift, shift_percent, unit, load_adjusted } }: { of: FieldComparison }) {
  if (shift === null) return <span class="quiet absent">{absence.unknown}</span>;
  return (
    <>
      {shift > 0 && "+"}
      <Quantity value={shift} unit={unit} digits={2} />
      {shift_percent !== null && (
        <div class="small quiet">
          {shift_percent > 0 && "+"}
          <Quantity value={shift_percent} unit="%" />
          {load_adjusted && " with as many players"}
        </div>
      )}
    </>
  );
}

function Interval({ of: { interval, confidence_percent, tie_band, unit } }: { of: FieldComparison }) {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return <span class="quiet absent">{absence.unknown}</span>;
  return (
    <>
      <Quantity value={low} digits={2} /> to <Quantity value={high} unit={unit} digits={2} />
      <div class="small quiet">
        {confidence_percent !== null && `${confidence_percent} %`}
        {tie_band !== null && (
          <>
            ; less than <Quantity value={tie_band} unit={unit} digits={2} /> does not count
          </>
        )}
      </div>
    </>
  );
}
