import { Bytes, Count, ShareCell } from "../amount.tsx";
import { spaced } from "../capture-words.ts";
import { CodeName } from "../code-name.tsx";
import { OwnerName } from "../owner-name.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import type { MemoryDiagnosisAnswer } from "./answers.ts";

export const cut = (isCut: boolean) =>
  isCut ? <span class="quiet small">shortened: there are more</span> : null;

export function MemoryOwners({
  rows,
  isCut,
  measure,
}: {
  rows: MemoryDiagnosisAnswer["owners"];
  isCut: boolean;
  measure: MemoryDiagnosisAnswer["measure"];
}) {
  return (
    <Card title="Owners" aside={cut(isCut)}>
      {rows.length === 0 && <p class="quiet">No owners are reported.</p>}
      <Table
        caption="Owners by bytes"
        rows={rows}
        rowKey={({ owner }) => owner}
        columns={[
          { head: "Owner", cell: ({ owner, plugin }) => <OwnerName owner={owner} plugin={plugin} /> },
          {
            head: measure === "retained" ? "Retained" : "Shallow",
            number: true,
            cell: ({ bytes }) => <Bytes value={bytes} />,
          },
          { head: "Share", number: true, cell: ({ pct }) => <ShareCell pct={pct} /> },
          { head: "Objects", number: true, cell: ({ objects }) => <Count value={objects} /> },
          {
            head: "Largest classes",
            cell: ({ top_classes }) => (
              <ul class="plain-list small">
                {top_classes.map(({ class_name, bytes }) => (
                  <li key={class_name}>
                    <CodeName value={class_name} /> <Bytes value={bytes} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** Of all owners. */
export function Classes({ rows, isCut }: { rows: MemoryDiagnosisAnswer["classes"]; isCut: boolean }) {
  return (
    <Card title="Classes" aside={cut(isCut)}>
      {rows.length === 0 && <p class="quiet">No classes are reported.</p>}
      <Table
        caption="Classes by bytes"
        rows={rows}
        rowKey={({ class_name, owner }) => `${owner} ${class_name}`}
        columns={[
          { head: "Class", cell: ({ class_name }) => <CodeName value={class_name} /> },
          { head: "Owner", cell: ({ owner }) => <Text value={owner} none="without a name" /> },
          { head: "Bytes", number: true, cell: ({ bytes }) => <Bytes value={bytes} /> },
          { head: "Share", number: true, cell: ({ pct }) => <ShareCell pct={pct} /> },
          { head: "Objects", number: true, cell: ({ objects }) => <Count value={objects} /> },
        ]}
      />
    </Card>
  );
}

export function Accumulations({ rows }: { rows: MemoryDiagnosisAnswer["accumulation_points"] }) {
  if (rows === null) return null;
  return (
    <Card title="Large collections">
      {rows.length === 0 && <p class="quiet">No single collection holds much.</p>}
      <Table
        caption="Accumulation points by retained bytes"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          {
            head: "Collection",
            cell: ({ class_name, holder_class, holder_field }) => (
              <>
                <CodeName value={class_name} />
                {holder_class !== null && (
                  <p class="small">
                    in <CodeName value={holder_class} />
                    {holder_field !== null && (
                      <>
                        , field <CodeName value={holder_field} />
                      </>
                    )}
                  </p>
                )}
              </>
            ),
          },
          { head: "Owner", cell: ({ owner }) => <Text value={owner} none="without a name" /> },
          {
            head: "Elements",
            number: true,
            cell: ({ elements, element_class }) => (
              <>
                <Count value={elements} />
                {element_class !== null && (
                  <p class="small">
                    of <CodeName value={element_class} />
                  </p>
                )}
              </>
            ),
          },
          { head: "Retained", number: true, cell: ({ retained_bytes }) => <Bytes value={retained_bytes} /> },
          { head: "Share", number: true, cell: ({ pct }) => <ShareCell pct={pct} /> },
        ]}
      />
    </Card>
  );
}

/** Game objects that owners hold, and how many of them are stale. */
export function GameObjects({ rows }: { rows: MemoryDiagnosisAnswer["game_objects"] }) {
  if (rows === null) return null;
  return (
    <Card title="Objects of the game that are held">
      {rows.length === 0 && <p class="quiet">No plugin holds any.</p>}
      <Table
        caption="Objects of the game by owner"
        rows={rows}
        rowKey={({ owner, kind, class_name }) => `${owner} ${kind} ${class_name}`}
        columns={[
          { head: "Owner", cell: ({ owner }) => <Text value={owner} none="without a name" /> },
          {
            head: "What",
            cell: ({ kind, class_name }) => (
              <>
                {spaced(kind)} {class_name !== null && <CodeName value={class_name} />}
              </>
            ),
          },
          { head: "Held", number: true, cell: ({ held }) => <Count value={held} /> },
          {
            head: "Stale",
            number: true,
            cell: ({ stale }) =>
              stale === 0 ? (
                <span class="quiet">none</span>
              ) : (
                <State means="watch">
                  <Count value={stale} />
                </State>
              ),
          },
          { head: "Retained", number: true, cell: ({ retained_bytes }) => <Bytes value={retained_bytes} /> },
        ]}
      />
      <p class="hint">
        Stale objects belong to worlds that are unloaded, players who left, or entities that are removed.
      </p>
    </Card>
  );
}
