import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { ReadBody } from "../../../../contract/call/app-context.ts";
import { profileFiles } from "../../../../contract/files/intake.ts";
import type { Instant } from "../../../../core/time.ts";
import { byTotal } from "../../../../core/profile/show.ts";
import { listProfileSummaries } from "../../../../endpoints/api/profile/list-profile-summaries.ts";
import { uploadProfileFile } from "../../../../actions/profile/upload-profile-file.ts";
import { Count, ShareCell } from "../amount.tsx";
import { inWords, spaced } from "../capture-words.ts";
import { capturesPage } from "../captures-page.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, clock, Text } from "../../../parts/value.tsx";

type Row = PersonAnswer<typeof listProfileSummaries>["data"][number];

/** For a choice. */
export const profileOption = ({ id, captured_at, uploaded_at, summary }: Row): readonly [string, string] => [
  id,
  `${clock(captured_at ?? uploaded_at ?? 0)}, ${summary.trigger ?? "no trigger reported"}`,
];

export const profilesPage = capturesPage<Row>({
  folder: "profiles",
  what: "profile",
  one: "profile",
  called: "a profile",
  heading: "Profiles",
  title: (server) => `Profiles of ${server}`,
  read: ({ call }, input) => call(listProfileSummaries, input),
  Rows: ProfileRows,
  option: profileOption,
  kept: (keeps) => (
    <>
      The plan keeps <Count value={keeps.profiles} /> full profiles of a server, for{" "}
      <Count value={keeps.profile_days} /> days at most. The summaries of older profiles are kept for a year.
    </>
  ),
  none: {
    title: "No profile yet",
    shows: "A profile shows what the server's main thread was doing.",
    byItself: " after a lag",
    files: "a file that the spark profiler saved.",
  },
  upload: {
    takes: "A profile that spark saved, or a service-profile/1 document",
    accept: ".sparkprofile,.json,.gz",
    hint: "Use the credential of the server:",
    type: "application/x-spark-sampler",
    file: "profile.sparkprofile",
    limit: profileFiles.limit,
    async save({ call, bytes }, server_id) {
      const input = async (read: ReadBody) => ({
        server_id,
        profile: (await read({ bytes, type: null, gzipped: false })) as never,
      });
      const { profile_id, summary_id } = await call(uploadProfileFile, input);
      return profile_id ?? summary_id;
    },
  },
});

function ProfileRows({ rows, now }: { rows: readonly Row[]; now: Instant }) {
  return (
    <Table
      caption="Profiles, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          head: "Captured",
          cell: ({ id, server_id, profile_id, captured_at, uploaded_at }) => (
            <>
              <a href={`/servers/${server_id}/profiles/${profile_id ?? id}`}>
                <Age at={captured_at ?? uploaded_at} now={now} />
              </a>
              {profile_id === null && <span class="quiet small"> only the summary</span>}
            </>
          ),
        },
        { head: "Trigger", cell: ({ summary }) => <Text value={summary.trigger} none="not reported" /> },
        { head: "Lag", cell: ({ summary: { lag } }) => <Lag lag={lag} /> },
        { head: "Heaviest plugin", cell: ({ summary }) => <TopPlugin summary={summary} /> },
        {
          head: "Heaviest work",
          cell: ({ summary: { categories } }) =>
            categories[0] ? (
              <>
                {spaced(categories[0].category)} <ShareCell pct={categories[0].pct} />
              </>
            ) : (
              <span class="quiet">none reported</span>
            ),
        },
        {
          head: "Tick samples",
          number: true,
          cell: ({ summary }) => <Count value={summary.samples.tick} />,
        },
        {
          head: "Warnings",
          cell: ({ summary: { warnings } }) =>
            warnings.length === 0 ? (
              <span class="quiet">none</span>
            ) : (
              <Text value={warnings.map(inWords).join(" ")} />
            ),
        },
      ]}
    />
  );
}

function Lag({ lag }: { lag: Row["summary"]["lag"] }) {
  if (lag === null) return <span class="quiet">none</span>;
  return (
    <>
      <Text value={lag.kind} none="lag" />
      {lag.slow_ticks !== null && (
        <>
          , <Count value={lag.slow_ticks} /> slow ticks
        </>
      )}
    </>
  );
}

/** By the stacks that it is on; its own share stands beside. */
function TopPlugin({ summary: { owners, owners_by_total } }: Pick<Row, "summary">) {
  const [top] = [...owners, ...(owners_by_total ?? [])].filter(({ plugin }) => plugin).toSorted(byTotal);
  if (!top) return <span class="quiet">none listed</span>;
  return (
    <>
      <Text value={top.owner} none="without a name" /> <ShareCell pct={top.total_pct} />
      <span class="quiet small">
        {" "}
        of the stacks, <ShareCell pct={top.self_pct} /> of its own
      </span>
    </>
  );
}
