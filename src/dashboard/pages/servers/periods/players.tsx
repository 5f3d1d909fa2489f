import { playerBands } from "../../../../core/health/bands.ts";
import type {
  FieldComparison,
  PeriodCapacity,
  PeriodComparison,
} from "../../../../core/metric/period-comparison.ts";
import { Card } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Quantity } from "../../../parts/value.tsx";
import { capacityWords, comparedName, missingCapacityWords } from "../../../words/periods.ts";

const bandTexts = new Map(playerBands.map(({ name, text }) => [name, text]));

type BandSide = FieldComparison["bands"][number]["base"];

/** One figure by player band in both periods. */
export function PlayerBands({ shown: { field, unit, bands } }: { shown: FieldComparison }) {
  return (
    <Card title="With as many players" id="bands">
      <p class="small quiet">{comparedName(field)}: the median of the days with so many players.</p>
      {bands.length === 0 ? (
        <p class="quiet">No player band has enough days with measurements.</p>
      ) : (
        <Table
          caption={`${comparedName(field)} by player band`}
          rows={bands}
          rowKey={({ band }) => band}
          columns={[
            { head: "Players", cell: ({ band }) => bandTexts.get(band) ?? band },
            { head: "Earlier", number: true, cell: ({ base }) => <Side of={base} unit={unit} /> },
            { head: "Later", number: true, cell: ({ target }) => <Side of={target} unit={unit} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Side({ of: { days, median }, unit }: { of: BandSide; unit: string }) {
  return (
    <>
      <Quantity value={median} unit={unit} digits={2} />
      {median !== null && <div class="small quiet">{days === 1 ? "1 day" : `${days} days`}</div>}
    </>
  );
}

/** The number of players at which the median tick takes 40 and 50 ms. */
export function CapacityCard({ capacity: { base, target } }: Pick<PeriodComparison, "capacity">) {
  const limits = [...new Set([...base.limits, ...target.limits].map(({ mspt_ms }) => mspt_ms))];
  return (
    <Card title="Capacity" id="capacity">
      <p class="small quiet">
        The number of players with which the median tick takes so long, with its 90 % interval.
      </p>
      {missingWords(base, target).map((words) => (
        <p class="quiet" key={words}>
          {words}
        </p>
      ))}
      {limits.length > 0 && (
        <Table
          caption="Players at the limits of tick time"
          rows={limits}
          rowKey={String}
          columns={[
            { head: "Median tick", cell: (limit) => <Quantity value={limit} unit="ms" /> },
            { head: "Earlier", cell: (limit) => limitWords(base, limit) },
            { head: "Later", cell: (limit) => limitWords(target, limit) },
          ]}
        />
      )}
    </Card>
  );
}

/** Once if both periods lack the same. */
function missingWords(base: PeriodCapacity, target: PeriodCapacity): string[] {
  const [earlier, later] = [base, target].map(({ missing }) => missing && missingCapacityWords(missing));
  if (earlier === later) return earlier ? [earlier] : [];
  return [...(earlier ? [`Earlier period: ${earlier}`] : []), ...(later ? [`Later period: ${later}`] : [])];
}

function limitWords({ limits, missing }: PeriodCapacity, limit: number): string {
  const found = limits.find(({ mspt_ms }) => mspt_ms === limit);
  if (found) return capacityWords(found);
  return missing === null ? "not measured" : "unknown";
}
