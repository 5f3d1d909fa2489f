import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { ReadBody } from "../../../../contract/call/app-context.ts";
import { memoryFiles } from "../../../../contract/files/intake.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import type { Sender } from "../../../../core/server/link-code.ts";
import type { Instant } from "../../../../core/time.ts";
import { listMemoryReports } from "../../../../endpoints/api/memory-report/list-memory-reports.ts";
import { getCaptureState } from "../../../../actions/server/get-capture-state.ts";
import { uploadMemoryFile } from "../../../../actions/memory-report/upload-memory-file.ts";
import { personPage, type PageRequest } from "../../../page.ts";
import { Bytes, Count, ShareCell } from "../amount.tsx";
import { captureRequest, Captures, capturesAPage, collect } from "../captures.tsx";
import { Card, Empty } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { UploadForm, UploadCommand } from "../upload.tsx";
import { Age, clock, Text } from "../../../parts/value.tsx";
import { kindInWords } from "../memory/words.ts";
import { Words } from "../../../parts/words.tsx";

type State = PersonAnswer<typeof getCaptureState>;
type Row = PersonAnswer<typeof listMemoryReports>["data"][number];

export const memoryReportsPage = personPage({
  path: "/servers/{id}/memory-reports",

  async show(request) {
    const { state, data, page } = await readReports(request);
    return {
      title: `Memory of ${state.server_name ?? "a server"}`,
      scripts: ["upload.js"],
      body: (
        <Captures
          request={request}
          state={state}
          what="class_histogram"
          called="a class histogram"
          kept={
            <>
              The plan keeps the newest <Count value={state.keeps.memory_reports} /> memory reports of a
              server.
            </>
          }
          list={<List state={state} rows={data} now={request.now} />}
          cursor={page.cursor}
          options={data.map(memoryReportOption)}
          upload={<HowToUpload baseUrl={request.baseUrl} />}
        />
      ),
    };
  },

  parts: {
    async list(request) {
      const { state, data } = await readReports(request);
      return <List state={state} rows={data} now={request.now} />;
    },
    request: captureRequest("class_histogram", "a class histogram"),
  },

  actions: { collect: collect("class_histogram") },

  upload: {
    limit: memoryFiles.limit,
    async take({ call, params, bytes }) {
      const server_id = params["id"] ?? "";
      const input = async (read: ReadBody) => ({
        server_id,
        memory_report: (await read({ bytes, type: null, gzipped: false })) as never,
      });
      const { id } = await call(uploadMemoryFile, input);
      return { to: `/servers/${server_id}/memory-reports/${id}` };
    },
  },
});

async function readReports({ call, params, query }: PageRequest<SessionCaller>) {
  const server_id = params["id"] ?? "";
  const state = await call(getCaptureState, { server_id });
  const cursor = query.get("cursor") ?? undefined;
  return { state, ...(await call(listMemoryReports, { server_id, limit: capturesAPage, cursor })) };
}

function Nothing({ sender }: { sender: Sender }) {
  return (
    <Empty
      title="No memory report yet"
      next={
        <p>
          The {sender} uploads one {sender === "plugin" && "by itself, or"} when you{" "}
          <a href="#add">request it</a>. You can also upload a class histogram (
          <Words of="jcmd PID GC.class_histogram" />) or a heap summary of the spark profiler.
        </p>
      }
    >
      <p>A memory report shows which plugins hold the heap.</p>
    </Empty>
  );
}

function HowToUpload({ baseUrl }: { baseUrl: string }) {
  return (
    <UploadForm
      takes="A class histogram, a heap summary of spark, or a document of this service"
      accept=".txt,.sparkheap,.json,.gz"
    >
      <p>Use the credential of the server. Heap dumps are not accepted:</p>
      <UploadCommand
        url={`${baseUrl}/plugin/v1/memory-reports`}
        type="text/x-java-class-histogram"
        file="histogram.txt"
      />
    </UploadForm>
  );
}

/** For a choice. */
export const memoryReportOption = ({
  id,
  created_at,
  uploaded_at,
  kind,
  mode,
}: Row): readonly [string, string] => [
  id,
  `${clock(created_at ?? uploaded_at ?? 0)}, ${kindInWords(kind, mode)}`,
];

interface ListProps {
  readonly state: State;
  readonly rows: readonly Row[];
  readonly now: Instant;
}

function List({ state, rows, now }: ListProps) {
  if (rows.length === 0) return <Nothing sender={state.sender} />;
  return (
    <Card title="Memory reports">
      <Table
        caption="Memory reports, newest first"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            head: "Taken",
            cell: ({ id, server_id, created_at, uploaded_at }) => (
              <a href={`/servers/${server_id}/memory-reports/${id}`}>
                <Age at={created_at ?? uploaded_at} now={now} />
              </a>
            ),
          },
          { head: "Kind", cell: ({ kind, mode }) => kindInWords(kind, mode) },
          { head: "Heap", number: true, cell: ({ heap_bytes }) => <Bytes value={heap_bytes} /> },
          {
            head: "Heaviest plugin",
            cell: ({ top_owner, top_owner_pct }) =>
              top_owner === null ? (
                <span class="quiet">none reported</span>
              ) : (
                <>
                  <Text value={top_owner} none="without a name" /> <ShareCell pct={top_owner_pct} />
                </>
              ),
          },
          {
            head: "Suspects",
            number: true,
            cell: ({ suspects_count }) =>
              suspects_count === null ? (
                <span class="quiet">not looked for</span>
              ) : (
                <Count value={suspects_count} />
              ),
          },
        ]}
      />
    </Card>
  );
}
