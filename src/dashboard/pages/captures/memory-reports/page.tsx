import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { ReadBody } from "../../../../contract/call/app-context.ts";
import { memoryFiles } from "../../../../contract/files/intake.ts";
import type { Instant } from "../../../../core/time.ts";
import { listMemoryReports } from "../../../../endpoints/api/memory-report/list-memory-reports.ts";
import { uploadMemoryFile } from "../../../../actions/memory-report/upload-memory-file.ts";
import { Bytes, Count, ShareCell } from "../amount.tsx";
import { capturesPage } from "../captures-page.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, clock, Text } from "../../../parts/value.tsx";
import { kindInWords } from "../memory/words.ts";
import { Words } from "../../../parts/words.tsx";

type Row = PersonAnswer<typeof listMemoryReports>["data"][number];

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

export const memoryReportsPage = capturesPage<Row>({
  folder: "memory-reports",
  what: "class_histogram",
  one: "memory report",
  called: "a class histogram",
  heading: "Memory reports",
  title: (server) => `Memory of ${server}`,
  read: ({ call }, input) => call(listMemoryReports, input),
  Rows: MemoryReportRows,
  option: memoryReportOption,
  kept: (keeps) => (
    <>
      The plan keeps the newest <Count value={keeps.memory_reports} /> memory reports of a server.
    </>
  ),
  none: {
    title: "No memory report yet",
    shows: "A memory report shows which plugins hold the heap.",
    byItself: "",
    files: (
      <>
        a class histogram (<Words of="jcmd PID GC.class_histogram" />) or a heap summary of the spark
        profiler.
      </>
    ),
  },
  upload: {
    takes: "A class histogram, a heap summary of spark, or a document of this service",
    accept: ".txt,.sparkheap,.json,.gz",
    hint: "Use the credential of the server. Heap dumps are not accepted:",
    type: "text/x-java-class-histogram",
    file: "histogram.txt",
    limit: memoryFiles.limit,
    async save({ call, bytes }, server_id) {
      const input = async (read: ReadBody) => ({
        server_id,
        memory_report: (await read({ bytes, type: null, gzipped: false })) as never,
      });
      return (await call(uploadMemoryFile, input)).id;
    },
  },
});

function MemoryReportRows({ rows, now }: { rows: readonly Row[]; now: Instant }) {
  return (
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
  );
}
