import type { ComponentChildren } from "preact";
import { Bytes, ShareCell } from "../amount.tsx";
import { CodeName } from "../code-name.tsx";
import { Card } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import type { Comparison } from "./answers.ts";

type Suspects = NonNullable<Comparison["suspects"]>;
type Points = NonNullable<Comparison["accumulation_points"]>;
type Row = Suspects["grew"][number] | Points["grew"][number];

const verdicts = [
  ["appeared", "appeared"],
  ["grew", "grew"],
  ["shrank", "shrank"],
  ["resolved", "gone"],
  ["persisting", "about as large"],
] as const;

/** Of two full analyses. */
export const SuspectChangeList = ({ lists }: { lists: Comparison["suspects"] }) =>
  lists && (
    <Found title="Leak suspects" lists={lists}>
      There is no suspect on either side.
    </Found>
  );

export const PointChangeList = ({ lists }: { lists: Comparison["accumulation_points"] }) =>
  lists && (
    <Found title="Large collections" lists={lists}>
      There are none on either side.
    </Found>
  );

function Found({
  title,
  lists,
  children,
}: {
  title: string;
  lists: Suspects | Points;
  children: ComponentChildren;
}) {
  const rows = verdicts.flatMap(([list, verdict]) => lists[list].map((row: Row) => ({ verdict, row })));
  return (
    <Card title={title}>
      {rows.length === 0 && <p class="quiet">{children}</p>}
      <Table
        caption={`${title}: what became of them`}
        rows={rows}
        rowKey={({ verdict, row }) => `${verdict} ${row.key}`}
        columns={[
          { head: "Verdict", cell: ({ verdict }) => <strong>{verdict}</strong> },
          { head: "Class", cell: ({ row }) => <CodeName value={row.class_name} /> },
          { head: "Owner", cell: ({ row }) => <Text value={row.owner} none="without a name" /> },
          { head: "Base", number: true, cell: ({ row }) => <Bytes value={row.base_retained_bytes} /> },
          { head: "Newer", number: true, cell: ({ row }) => <Bytes value={row.target_retained_bytes} /> },
          { head: "Change", number: true, cell: ({ row }) => <Bytes value={row.delta_bytes} sign /> },
          { head: "Share now", number: true, cell: ({ row }) => <ShareCell pct={row.target_pct} /> },
        ]}
      />
    </Card>
  );
}
