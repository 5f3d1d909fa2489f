import type { PeriodComparison } from "../../../../core/metric/period-comparison.ts";
import { dayMs, toTimestamp } from "../../../../core/time.ts";
import { Filters } from "../../../parts/filters.tsx";
import { FormField } from "../../../parts/form.tsx";
import { Card } from "../../../parts/state.tsx";
import { dayFields, offeredLengths, type ChosenPeriods } from "./chosen-periods.ts";

interface PeriodChoiceProps {
  readonly id: string;
  /** Null if the choice is refused. */
  readonly chosen: ChosenPeriods | null;
  readonly comparison: PeriodComparison | null;
  readonly query: URLSearchParams;
  readonly retentionDays: number;
}

const labels: Readonly<Record<(typeof dayFields)[number], string>> = {
  base_first: "Earlier: first day",
  base_last: "Earlier: last day",
  target_first: "Later: first day",
  target_last: "Later: last day",
};

/** Links to periods up to now, and a form with the days of the comparison. */
export function PeriodChoice({ id, chosen, comparison, query, retentionDays }: PeriodChoiceProps) {
  const shown = comparison && comparedDays(comparison);
  return (
    <Card
      title="Compare two periods"
      aside={
        <nav aria-label="Periods up to now">
          <ul class="chips">
            {offeredLengths(retentionDays).map((days) => (
              <li key={days}>
                <a href={`?days=${days}`} aria-current={chosen?.days === days ? "true" : undefined}>
                  last {days} days
                </a>
              </li>
            ))}
          </ul>
        </nav>
      }
    >
      <Filters label="Periods" does="Compare">
        {dayFields.map((name) => (
          <FormField
            key={name}
            name={name}
            label={labels[name]}
            type="date"
            value={query.get(name) ?? shown?.[name] ?? ""}
          />
        ))}
      </Filters>
      <p class="hint">
        The last days are compared with as many days before them. Days are UTC; without an earlier period the
        same time before the later one is taken.
      </p>
      <p>
        <a href={`/servers/compare?one=${id}`}>
          Draw this server with another one, or with itself a week earlier, in one chart
        </a>
      </p>
    </Card>
  );
}

/** A day that is partly in both periods is shown as a day of the later one. */
export function comparedDays({
  base,
  target,
}: Pick<PeriodComparison, "base" | "target">): Record<(typeof dayFields)[number], string> {
  const [targetFirst, targetLast] = [dayOf(target.from), dayOf(target.to, -1)];
  const isTouching = base.to <= target.from && dayOf(base.to, -1) === targetFirst;
  return {
    base_first: dayOf(base.from),
    base_last: dayOf(base.to, isTouching ? -dayMs : -1),
    target_first: targetFirst,
    target_last: targetLast,
  };
}

/** The UTC day of an instant, moved by `laterMs`. */
const dayOf = (at: string, laterMs = 0): string => toTimestamp(Date.parse(at) + laterMs).slice(0, 10);
