import { toTimestamp } from "../../../../core/time.ts";
import type { PlotData, PlotLine } from "../plot-data.ts";
import { Table } from "../../../parts/table.tsx";
import { Quantity, Time } from "../../../parts/value.tsx";

/** Rows, each an equal part of the period. */
const parts = 12;

interface Named {
  readonly name: string;
  readonly unit: string;
  readonly values: PlotLine["values"] | null;
}

/** A short table for readers who cannot see the charts. */
export function PointsTable({ data, lines }: { data: PlotData; lines: readonly Named[] }) {
  const step = (data.to - data.from) / parts;
  const rows = Array.from({ length: parts }, (_, index) => {
    const from = data.from + index * step;
    const isLast = index === parts - 1;
    const within = data.times.flatMap((at, index) =>
      at >= from && (at < from + step || isLast) ? [index] : [],
    );
    return { from, within };
  });
  return (
    <details>
      <summary>The same points as a table</summary>
      <Table
        caption="Means of the charts' points"
        rows={rows}
        rowKey={({ from }) => String(from)}
        columns={[
          { head: "From", cell: ({ from }) => <Time at={toTimestamp(Math.round(from) * 1000)} /> },
          ...lines.map(({ name, unit, values }) => ({
            head: name,
            number: true,
            cell: ({ within }: (typeof rows)[number]) => (
              <Quantity value={meanOf(values ?? [], within)} unit={unit} />
            ),
          })),
        ]}
      />
    </details>
  );
}

function meanOf(values: readonly (number | null)[], indexes: readonly number[]): number | null {
  const known = indexes.flatMap((index) => values[index] ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
