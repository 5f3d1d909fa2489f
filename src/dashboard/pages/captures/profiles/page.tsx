import { profileFiles } from "../../../../contract/files/intake.ts";
import { listProfileSummaries } from "../../../../endpoints/api/profile/list-profile-summaries.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { uploadProfileFile } from "../../../../actions/profile/upload-profile-file.ts";
import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import type { ReadBody } from "../../../../contract/call/app-context.ts";
import type { Instant } from "../../../../core/time.ts";
import { personPage, type PageRequest } from "../../../page.ts";
import { Count, ShareCell } from "../amount.tsx";
import { captureRequest, Captures, capturesAPage, collect } from "../captures.tsx";
import { inWords, spaced } from "../capture-words.ts";
import { Card, Empty } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { UploadForm, UploadCommand } from "../upload.tsx";
import { Age, clock, Text } from "../../../parts/value.tsx";

type Row = PersonAnswer<typeof listProfileSummaries>["data"][number];
type State = PersonAnswer<typeof getCaptureState>;

export const profilesPage = personPage({
  path: "/servers/{id}/profiles",

  async show(request) {
    const { state, data, page } = await readProfiles(request);
    return {
      title: `Profiles of ${state.server_name ?? "a server"}`,
      scripts: ["upload.js"],
      body: (
        <Captures
          request={request}
          state={state}
          what="profile"
          called="a profile"
          kept={<Kept state={state} />}
          list={<List state={state} rows={data} now={request.now} />}
          cursor={page.cursor}
          options={data.map(profileOption)}
          upload={<HowToUpload baseUrl={request.baseUrl} />}
        />
      ),
    };
  },

  parts: {
    async list(request) {
      const { state, data } = await readProfiles(request);
      return <List state={state} rows={data} now={request.now} />;
    },
    request: captureRequest("profile", "a profile"),
  },

  actions: { collect: collect("profile") },

  upload: {
    limit: profileFiles.limit,
    async take({ call, params, bytes }) {
      const server_id = params["id"] ?? "";
      const input = async (read: ReadBody) => ({
        server_id,
        profile: (await read({ bytes, type: null, gzipped: false })) as never,
      });
      const { profile_id, summary_id } = await call(uploadProfileFile, input);
      return { to: `/servers/${server_id}/profiles/${profile_id ?? summary_id}` };
    },
  },
});

async function readProfiles({ call, params, query }: PageRequest<SessionCaller>) {
  const server_id = params["id"] ?? "";
  const state = await call(getCaptureState, { server_id });
  const cursor = query.get("cursor") ?? undefined;
  return { state, ...(await call(listProfileSummaries, { server_id, limit: capturesAPage, cursor })) };
}

function Kept({ state: { keeps } }: { state: State }) {
  return (
    <>
      The plan keeps <Count value={keeps.profiles} /> full profiles of a server, for{" "}
      <Count value={keeps.profile_days} /> days at most. The summaries of older profiles are kept for a year.
    </>
  );
}

function Nothing({ sender }: { sender: Sender }) {
  return (
    <Empty
      title="No profile yet"
      next={
        <p>
          The {sender} uploads one {sender === "plugin" && "by itself after a lag, or"} when you{" "}
          <a href="#add">request it</a>. You can also upload a file that the spark profiler saved.
        </p>
      }
    >
      <p>A profile shows what the server's main thread was doing.</p>
    </Empty>
  );
}

function HowToUpload({ baseUrl }: { baseUrl: string }) {
  return (
    <UploadForm
      takes="A profile that spark saved, or a service-profile/1 document"
      accept=".sparkprofile,.json,.gz"
    >
      <p>Use the credential of the server:</p>
      <UploadCommand
        url={`${baseUrl}/plugin/v1/profiles`}
        type="application/x-spark-sampler"
        file="profile.sparkprofile"
      />
    </UploadForm>
  );
}

/** For a choice. */
export const profileOption = ({ id, captured_at, uploaded_at, summary }: Row): readonly [string, string] => [
  id,
  `${clock(captured_at ?? uploaded_at ?? 0)}, ${summary.trigger ?? "no trigger reported"}`,
];

interface ListProps {
  readonly state: State;
  readonly rows: readonly Row[];
  readonly now: Instant;
}

function List({ state, rows, now }: ListProps) {
  if (rows.length === 0) return <Nothing sender={state.sender} />;
  return (
    <Card title="Profiles">
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
          { head: "Heaviest plugin", cell: ({ summary }) => <TopPlugin owners={summary.owners} /> },
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
    </Card>
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

function TopPlugin({ owners }: { owners: Row["summary"]["owners"] }) {
  const top = owners.find(({ plugin }) => plugin);
  if (!top) return <span class="quiet">none listed</span>;
  return (
    <>
      <Text value={top.owner} none="without a name" /> <ShareCell pct={top.self_pct} />
    </>
  );
}
