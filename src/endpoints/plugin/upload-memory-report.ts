import { z } from "zod";
import { created, defineEndpoint } from "../../contract/endpoint.ts";
import { Refusal } from "../../core/errors.ts";
import { Id } from "../../core/id.ts";
import { histogramOf } from "../../core/import/class-histogram.ts";
import { heapSummaryOfSpark } from "../../core/import/spark-heap.ts";
import { isHeapDump } from "../../contract/heap-dump.ts";
import { MemoryDocument } from "../../core/memory-report/document.ts";
import { exampleMemoryUpload } from "../../core/memory-report/example-document.ts";
import { headOf } from "../../core/memory-report/show.ts";
import { takeFiles } from "./taken-file.ts";

/** A heap dump holds whatever the game server held: passwords, chats, addresses. */
function refuseHeapDump(bytes: Uint8Array): void {
  if (isHeapDump(bytes))
    throw new Refusal(
      "unsupported_media_type",
      "This is a heap dump, which is never taken. Send a class histogram, or an analysis of the dump.",
    );
}

export const uploadMemoryReport = defineEndpoint({
  id: "memory_reports.upload",
  method: "POST",
  path: "/memory-reports",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary:
    "Upload a report on the heap: a document of ours, a heap summary of the spark profiler, or the text of jcmd PID GC.class_histogram.",
  input: z.object({ memory_report: MemoryDocument }),
  wholeBody: "memory_report",
  files: {
    ...takeFiles({
      "application/x-spark-heap": heapSummaryOfSpark,
      "text/x-java-class-histogram": histogramOf,
    }),
    inspect: refuseHeapDump,
  },
  output: z.object({ id: Id }),
  success: [201, 200],
  errors: [],
  idempotent: true,
  example: {
    input: { memory_report: exampleMemoryUpload },
    output: { id: "019a9f5e-1d00-7000-8000-000000000052" },
  },

  async handle({ memory_report: document }, { stores, caller, now, secrets, plans }) {
    const report = {
      id: secrets.newId(now),
      serverId: caller.server.id,
      uploadedAt: now,
      head: headOf(document),
      document,
    };
    const { id, created: isNew } = await stores.memoryReports.insert(report, plans);
    return isNew ? created({ id }) : { id };
  },
});
