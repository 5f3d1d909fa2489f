import { Bytes, Count, Points } from "../amount.tsx";
import { spaced } from "../capture-words.ts";
import { CodeName } from "../code-name.tsx";
import { OwnerName } from "../owner-name.tsx";
import { Card } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import type { Comparison } from "./answers.ts";
import { cut } from "./lists.tsx";

/** Biggest change first. */
export function OwnerChanges({ rows, isCut }: { rows: Comparison["owners"]; isCut: boolean }) {
  return (
    <Card title="Owners" aside={cut(isCut)}>
      {rows.length === 0 && <p class="quiet">Nothing to compare.</p>}
      <Table
        caption="Owners, biggest change first"
        rows={rows}
        rowKey={({ owner }) => owner}
        columns={[
          { head: "Owner", cell: ({ owner, plugin }) => <OwnerName owner={owner} plugin={plugin} /> },
          { head: "Base", number: true, cell: ({ base_bytes }) => <Bytes value={base_bytes} /> },
          { head: "Newer", number: true, cell: ({ target_bytes }) => <Bytes value={target_bytes} /> },
          { head: "Change", number: true, cell: ({ delta_bytes }) => <Bytes value={delta_bytes} sign /> },
          { head: "Of its share", number: true, cell: ({ delta_points }) => <Points value={delta_points} /> },
          { head: "Verdict", cell: ({ status }) => status },
        ]}
      />
    </Card>
  );
}

export function ClassChanges({ rows }: { rows: Comparison["classes"] }) {
  return (
    <Card title="Classes that grew">
      {rows.length === 0 && <p class="quiet">No class grew.</p>}
      <Table
        caption="Classes that grew, most growth first"
        rows={rows}
        rowKey={({ class_name }) => class_name}
        columns={[
          { head: "Class", cell: ({ class_name }) => <CodeName value={class_name} /> },
          { head: "Owner", cell: ({ owner }) => <Text value={owner} none="without a name" /> },
          { head: "Base", number: true, cell: ({ base_bytes }) => <Bytes value={base_bytes} /> },
          { head: "Newer", number: true, cell: ({ target_bytes }) => <Bytes value={target_bytes} /> },
          { head: "Change", number: true, cell: ({ delta_bytes }) => <Bytes value={delta_bytes} sign /> },
          {
            head: "Objects",
            number: true,
            cell: ({ delta_objects }) => <Count value={delta_objects} sign />,
          },
        ]}
      />
    </Card>
  );
}

/** Game objects that owners hold. */
export function GameObjectChanges({ rows }: { rows: Comparison["game_objects"] }) {
  if (rows === null) return null;
  return (
    <Card title="Objects of the game">
      {rows.length === 0 && <p class="quiet">No owner holds more or fewer than before.</p>}
      <Table
        caption="Objects of the game, most gained first"
        rows={rows}
        rowKey={({ owner, kind }) => `${owner} ${kind}`}
        columns={[
          { head: "Owner", cell: ({ owner }) => <Text value={owner} none="without a name" /> },
          { head: "What", cell: ({ kind }) => spaced(kind) },
          { head: "Base", number: true, cell: ({ base_held }) => <Count value={base_held} /> },
          { head: "Newer", number: true, cell: ({ target_held }) => <Count value={target_held} /> },
          { head: "Change", number: true, cell: ({ delta }) => <Count value={delta} sign /> },
          { head: "Stale", number: true, cell: ({ stale_delta }) => <Count value={stale_delta} sign /> },
        ]}
      />
    </Card>
  );
}
