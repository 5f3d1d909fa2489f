import { absence } from "../../../words/glossary.ts";
import type { ComponentChildren } from "preact";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import { compareProfiles } from "../../../../endpoints/api/profile/compare-profiles.ts";
import { listProfileSummaries } from "../../../../endpoints/api/profile/list-profile-summaries.ts";
import { Count, Points, ShareCell } from "../amount.tsx";
import { capturesAPage } from "../captures-page.tsx";
import { spaced } from "../capture-words.ts";
import { CodeName } from "../code-name.tsx";
import { Comparability } from "../comparability.tsx";
import { comparisonPage } from "../comparison-page.tsx";
import { OwnerName } from "../owner-name.tsx";
import { Card } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import { clock, Quantity, span, Text, Time } from "../../../parts/value.tsx";
import { profileOption } from "../profiles/page.tsx";
import { KeyPoints } from "../profile/lists.tsx";

type Comparison = PersonAnswer<typeof compareProfiles>;
type Change = Comparison["categories"][number] | Comparison["methods"][number] | Comparison["owners"][number];

export const profileComparisonPage = comparisonPage({
  captures: "profiles",
  segment: "profiles",
  compare: (call, two) => call(compareProfiles, two),
  options: async (call, server_id) =>
    (await call(listProfileSummaries, { server_id, limit: capturesAPage })).data.map(profileOption),
  show: (comparison, server) => <Compared comparison={comparison} server={server} />,
});

function Compared({ comparison, server }: { comparison: Comparison; server: string }) {
  const { key_points: points } = comparison;
  return (
    <>
      <p class="quiet">
        {comparison.source === "documents"
          ? "From both full profiles."
          : "From the summaries: a full profile was deleted."}{" "}
        {comparison.elapsed_seconds !== null &&
          `${span(comparison.elapsed_seconds * 1000)} lie between them.`}
      </p>
      <Comparability {...comparison.comparability} />
      <div class="columns">
        <Side title="Base, the older one" side={comparison.base} server={server} />
        <Side title="The newer one" side={comparison.target} server={server} />
      </div>
      <Owners comparison={comparison} />
      <Card title="Kinds of work">
        <Changes
          caption="Kinds of work, biggest change first"
          rows={comparison.categories}
          first={{ head: "Kind", cell: ({ category }) => spaced(category) }}
          rowKey={({ category }) => category}
        />
      </Card>
      <Card title="Methods" aside={cut(comparison.methods_truncated)}>
        <Changes
          caption="Methods, biggest change first"
          rows={comparison.methods}
          first={{ head: "Method", cell: ({ method }) => <CodeName value={method} /> }}
          rowKey={({ method }) => method}
        />
      </Card>
      {(["appeared", "resolved", "persisting"] as const).map((which) =>
        points[which].length === 0 ? null : (
          <section key={which} class="stack">
            <h2>Points that {verbs[which]}</h2>
            <KeyPoints points={points[which]} />
          </section>
        ),
      )}
    </>
  );
}

const verbs = { appeared: "appeared", resolved: "disappeared", persisting: "stayed" } as const;

const cut = (isCut: boolean) => (isCut ? <span class="quiet small">shortened: there are more</span> : null);

function Side({ title, side, server }: { title: string; side: Comparison["base"]; server: string }) {
  const at = side.captured_at ?? side.uploaded_at;
  return (
    <Card title={title}>
      <Facts
        of={[
          [
            "Captured",
            <a key="at" href={`/servers/${server}/profiles/${side.profile_id ?? side.summary_id}`}>
              {at === null ? "time not known" : clock(at)}
            </a>,
          ],
          ["Uploaded", <Time key="u" at={side.uploaded_at} />],
          ["Trigger", <Text key="t" value={side.trigger} none="not reported" />],
          ["Window", <Quantity key="w" value={side.window_seconds} unit="s" />],
          ["Tick samples", <Count key="s" value={side.tick_samples} />],
          [
            "Server",
            <Text
              key="v"
              value={[side.server_type, side.server_version].filter(Boolean).join(" ")}
              none="not reported"
            />,
          ],
          ["Java", <Text key="j" value={side.java_version} none="not reported" />],
        ]}
      />
    </Card>
  );
}

function Owners({ comparison }: { comparison: Comparison }) {
  return (
    <Card title="Owners" aside={cut(comparison.owners_truncated)}>
      <Changes
        caption="Owners, biggest change first"
        rows={comparison.owners}
        first={{ head: "Owner", cell: ({ owner, plugin }) => <OwnerName owner={owner} plugin={plugin} /> }}
        rowKey={({ owner }) => owner}
      />
    </Card>
  );
}

interface ChangesProps<R extends Change> {
  readonly caption: string;
  readonly rows: readonly R[];
  readonly first: { readonly head: string; readonly cell: (row: R) => ComponentChildren };
  readonly rowKey: (row: R) => string;
}

function Changes<R extends Change>({ caption, rows, first, rowKey }: ChangesProps<R>) {
  if (rows.length === 0) return <p class="quiet">Nothing to compare.</p>;
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={rowKey}
      columns={[
        first,
        {
          head: "Base",
          number: true,
          cell: (row) => <OneSide pct={row.base_pct} atMost={row.base_at_most} />,
        },
        {
          head: "Newer",
          number: true,
          cell: (row) => <OneSide pct={row.target_pct} atMost={row.target_at_most} />,
        },
        { head: "Change", number: true, cell: (row) => <Difference row={row} /> },
        { head: "Verdict", cell: (row) => <Verdict row={row} /> },
      ]}
    />
  );
}

function OneSide({ pct, atMost }: { pct: number | null; atMost: number | null }) {
  if (pct !== null || atMost === null) return <ShareCell pct={pct} />;
  return (
    <span class="quiet">
      at most <ShareCell pct={atMost} />
    </span>
  );
}

function Difference({ row }: { row: Change }) {
  if (row.delta_points !== null) return <Points value={row.delta_points} />;
  if (row.delta_min === null || row.delta_max === null) return <span class="quiet">{absence.unknown}</span>;
  return (
    <>
      <Points value={row.delta_min} /> to <Points value={row.delta_max} />
    </>
  );
}

function Verdict({ row: { status, beyond_noise, noise_points } }: { row: Change }) {
  const noise = noise_points === null ? null : `± ${noise_points.toFixed(2)} points of noise`;
  const worth =
    beyond_noise === null
      ? "noise not known"
      : beyond_noise
        ? `beyond noise (${noise})`
        : `no evidence (${noise})`;
  return (
    <>
      {beyond_noise === true ? <strong>{status}</strong> : status} <span class="quiet small">{worth}</span>
    </>
  );
}
