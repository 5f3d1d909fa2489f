import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getProfile } from "../../../../endpoints/api/profile/get-profile.ts";
import type { getFlameGraph } from "../../../../actions/profile/get-flame-graph.ts";
import { ShareCell } from "../amount.tsx";
import { inWords, spaced } from "../capture-words.ts";
import { CodeName } from "../code-name.tsx";
import { OwnerName } from "../owner-name.tsx";
import { Card, State } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Text } from "../../../parts/value.tsx";
import { byTotal } from "../../../../core/profile/show.ts";

type Detail = NonNullable<PersonAnswer<typeof getProfile>["detail"]>;
type Summary = PersonAnswer<typeof getFlameGraph>["profile"]["summary"];

export function KeyPoints({ points }: { points: Summary["key_points"] }) {
  if (points.length === 0) return null;
  return (
    <Card title="What stands out">
      <ul class="plain-list">
        {points.map((point) => (
          <li key={`${point.code} ${point.owner} ${point.category}`}>
            <State means="watch">{spaced(point.code)}</State>{" "}
            {point.owner !== null && (
              <>
                <Text value={point.owner} />{" "}
              </>
            )}
            {point.category !== null && `${spaced(point.category)} `}
            {point.pct !== null && (
              <>
                <ShareCell pct={point.pct} />.{" "}
              </>
            )}
            <span class="quiet">{inWords(point.code)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const cut = (isCut: boolean) => (isCut ? <span class="quiet small">shortened: there are more</span> : null);

type OwnerRow = Omit<Detail["owners"][number], "top_methods"> & {
  /** Null where they are not listed. */
  readonly top_methods: Detail["owners"][number]["top_methods"] | null;
};

/** Rows of owners whose methods are not listed. */
export const withoutMethods = (rows: readonly Omit<OwnerRow, "top_methods">[]): OwnerRow[] =>
  rows.map((row) => Object.assign({ top_methods: null }, row));

/** The owners on most stacks come first: a wrapper has little of its own, and holds up what it calls. */
export function Owners({
  rows,
  byTotal: leftOut,
  isCut,
  linked = false,
}: {
  rows: readonly OwnerRow[];
  byTotal: Detail["owners_by_total"];
  isCut: boolean;
  linked?: boolean;
}) {
  const named = withoutMethods(leftOut ?? []);
  return (
    <Card title="Owners" aside={cut(isCut)}>
      {rows.length === 0 && <p class="quiet">No tick samples, so no owners.</p>}
      {leftOut === null && isCut && (
        <p class="hint">
          This profile was stored before owners with a small own share were named: whether one of them is on
          many stacks is not known.
        </p>
      )}
      <Table
        caption="Owners by the share of the stacks that they are on"
        rows={[...rows, ...named].toSorted(byTotal)}
        rowKey={({ owner }) => owner}
        columns={[
          {
            head: "Owner",
            cell: ({ owner, plugin }) =>
              linked && owner !== "" ? (
                <a href={`?${new URLSearchParams({ owner })}#methods`}>
                  <OwnerName owner={owner} plugin={plugin} />
                </a>
              ) : (
                <OwnerName owner={owner} plugin={plugin} />
              ),
          },
          {
            head: "Anywhere on the stack",
            number: true,
            cell: ({ total_pct }) => <ShareCell pct={total_pct} />,
          },
          { head: "Own share", number: true, cell: ({ self_pct }) => <ShareCell pct={self_pct} /> },
          {
            head: "Busiest methods",
            cell: ({ top_methods }) =>
              top_methods === null ? (
                <span class="quiet">not listed</span>
              ) : top_methods.length === 0 ? (
                <span class="quiet">none of its own</span>
              ) : (
                <ul class="plain-list small">
                  {top_methods.map(({ method, pct }) => (
                    <li key={method}>
                      <CodeName value={method} /> <ShareCell pct={pct} />
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

/** The owner to which methods and stacks are filtered. */
export function OwnerChoice({ filter }: { filter: Detail["owner_filter"] }) {
  if (filter === null) return null;
  return (
    <p class="notice unknown">
      {filter.matched === null ? (
        <>
          There is no owner named <Text value={filter.requested} />.
        </>
      ) : (
        <>
          Only methods and stacks of <Text value={filter.matched} /> are shown.
        </>
      )}{" "}
      <a href="?">Show all owners</a>
    </p>
  );
}

export function MethodTable({ rows, isCut }: { rows: Detail["methods"]; isCut: boolean }) {
  const isExact = rows.every(({ exact }) => exact);
  return (
    <Card title="Methods" aside={cut(isCut)} id="methods">
      {!isExact && <p class="hint">Samples are missing or were cut, so these shares are lower bounds.</p>}
      {rows.length === 0 && <p class="quiet">No methods.</p>}
      <Table
        caption="Methods by their own share"
        rows={rows}
        rowKey={({ method, owner }) => `${method} ${owner}`}
        columns={[
          { head: "Method", cell: ({ method }) => <CodeName value={method} /> },
          { head: "Owner", cell: ({ owner }) => <Text value={owner} /> },
          { head: "Own share", number: true, cell: ({ self_pct }) => <ShareCell pct={self_pct} /> },
          {
            head: "Anywhere",
            number: true,
            cell: ({ total_pct }) => <ShareCell pct={total_pct} none="not kept" />,
          },
        ]}
      />
    </Card>
  );
}

export function Stacks({ paths, isCut }: { paths: Detail["paths"]; isCut: boolean }) {
  return (
    <Card title="Heaviest stacks" aside={cut(isCut)}>
      {paths.length === 0 && <p class="quiet">No stacks.</p>}
      {paths.map((path, index) => (
        // Two stacks can have the same text if frames are left out, so the index is the key.
        <details key={index}>
          <summary>
            <ShareCell pct={path.ends_pct} /> end in{" "}
            <CodeName value={path.frames.at(-1)?.frame ?? null} none="a cut stack" />
            <span class="quiet small">
              , {path.depth} deep
              {path.owner_entry_depth !== null && `, entered at ${path.owner_entry_depth}`}
            </span>
          </summary>
          <ol class="plain-list small">
            {path.frames.map(({ frame, owner }, index) => (
              <li key={index}>
                <CodeName value={frame} none="cut here" />{" "}
                <span class="quiet">
                  <Text value={owner} none="" />
                </span>
                {index === 7 && path.omitted_frames > 0 && (
                  <p class="quiet">{path.omitted_frames} more frames</p>
                )}
              </li>
            ))}
          </ol>
        </details>
      ))}
    </Card>
  );
}

export function Categories({ rows }: { rows: Summary["categories"] }) {
  return (
    <Card title="Kinds of work">
      {rows.length === 0 && <p class="quiet">No tick samples, so no kinds of work.</p>}
      <Table
        caption="Kinds of work by share"
        rows={rows}
        rowKey={({ category }) => category}
        columns={[
          { head: "Kind", cell: ({ category }) => spaced(category) },
          { head: "Share", number: true, cell: ({ pct }) => <ShareCell pct={pct} /> },
        ]}
      />
    </Card>
  );
}
