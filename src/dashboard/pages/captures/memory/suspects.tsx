import { Bytes, Count, ShareCell } from "../amount.tsx";
import { spaced } from "../capture-words.ts";
import { CodeName } from "../code-name.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import type { MemoryDiagnosisAnswer } from "./answers.ts";
import { cut } from "./lists.tsx";

type Suspect = NonNullable<MemoryDiagnosisAnswer["suspects"]>[number];

/** With the objects that keep them alive. */
export function Suspects({ rows, isCut }: { rows: MemoryDiagnosisAnswer["suspects"]; isCut: boolean }) {
  if (rows === null)
    return (
      <Card title="Leak suspects">
        <p>
          <State means="unknown">Not looked for</State> Only a full analysis of a heap dump looks for
          suspects.
        </p>
      </Card>
    );
  return (
    <Card title="Leak suspects" aside={cut(isCut)}>
      {rows.length === 0 ? (
        <p>
          <State means="good">None</State> Nothing retains a tenth of the reachable bytes or more.
        </p>
      ) : (
        <>
          <p class="hint">
            A suspect retains a tenth of the reachable bytes or more. That is no proof of a leak.
          </p>
          {rows.map((suspect) => (
            <One key={suspect.key} suspect={suspect} />
          ))}
        </>
      )}
    </Card>
  );
}

function One({ suspect }: { suspect: Suspect }) {
  const { owner, class_name, kind, instances, retained_bytes, shallow_bytes, pct, gc_root } = suspect;
  return (
    <section class="stack">
      <h3>
        <State means="watch">Suspect</State> <Text value={owner} none="without a name" />:{" "}
        <CodeName value={class_name} />
      </h3>
      <p>
        {kind === "class_group" ? (
          <>
            <Count value={instances} /> objects of this class retain{" "}
          </>
        ) : (
          "One object retains "
        )}
        <Bytes value={retained_bytes} />, <ShareCell pct={pct} />; by{" "}
        {kind === "class_group" ? "themselves" : "itself"} <Bytes value={shallow_bytes} />.
      </p>
      <RootPath suspect={suspect} root={gc_root} />
      <Dominators chain={suspect.dominator_chain} />
    </section>
  );
}

function RootPath({ suspect, root }: { suspect: Suspect; root: Suspect["gc_root"] }) {
  const { root_path: path, root_path_omitted: omitted } = suspect;
  if (path.length === 0 && root === null)
    return <p class="quiet">What keeps the object alive is not reported.</p>;
  return (
    <details open>
      <summary>
        What keeps it alive
        {root && (
          <>
            , from {spaced(root.type)}{" "}
            {root.description !== null && (
              <>
                (<Text value={root.description} />)
              </>
            )}
          </>
        )}
      </summary>
      <ol class="plain-list small">
        {path.map((node, index) => (
          // One class can be on a path several times, so the index is the key.
          <li key={index}>
            <CodeName value={node.class_name} />
            {node.field !== null && (
              <>
                {" "}
                field <CodeName value={node.field} />
              </>
            )}
            {node.array_index !== null && ` at ${node.array_index}`}{" "}
            <span class="quiet">
              <Text value={node.owner} none="" />
              {node.retained_bytes !== null && (
                <>
                  , <Bytes value={node.retained_bytes} />
                </>
              )}
            </span>
            {index === firstNodes - 1 && omitted > 0 && <p class="quiet">{omitted} more left out here</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The API keeps this many first nodes of a long path. */
const firstNodes = 8;

function Dominators({ chain }: { chain: Suspect["dominator_chain"] }) {
  if (chain.length === 0) return null;
  return (
    <details>
      <summary>Objects that would be freed with it, link by link</summary>
      <ol class="plain-list small">
        {chain.map((link, index) => (
          <li key={index}>
            <CodeName value={link.class_name} />{" "}
            <span class="quiet">
              <Text value={link.owner} none="" /> retains <Bytes value={link.retained_bytes} />,{" "}
              <ShareCell pct={link.pct} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
