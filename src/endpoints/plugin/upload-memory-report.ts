import { updateCollection } from "../../store/server/collections.ts";
import { z } from "zod";
import { created, defineEndpoint, readAs } from "../../contract/endpoint/endpoint.ts";
import { memoryFiles, takeMemoryReport } from "../../contract/files/intake.ts";
import { Id } from "../../core/id.ts";
import { MemoryDocument } from "../../core/memory-report/document.ts";
import { exampleMemoryUpload } from "../../core/memory-report/example-document.ts";
import type { ReadMemoryReport } from "../../core/memory-report/records.ts";

export const uploadMemoryReport = defineEndpoint({
  id: "memory_reports.upload",
  method: "POST",
  path: "/memory-reports",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary:
    "Upload a report on the heap: a document of this service, a heap summary of the spark profiler, or the text of jcmd PID GC.class_histogram.",
  input: z.object({ memory_report: readAs<ReadMemoryReport>()(MemoryDocument) }),
  wholeBody: "memory_report",
  files: memoryFiles,
  output: z.object({ id: Id }),
  success: [201, 200],
  errors: ["invalid_state"],
  idempotent: true,
  example: {
    input: { memory_report: exampleMemoryUpload },
    output: { id: "019a9f5e-1d00-7000-8000-000000000052" },
  },

  async handle({ memory_report: report }, context) {
    const { id: serverId, collecting } = context.caller.server;
    const { id, created: isNew } = await takeMemoryReport(report, serverId, context);
    if (!isNew) return { id };
    // Only a summary answers the request; analyses are sent unrequested.
    if (report.head.kind === "heap-summary" && collecting.class_histogram !== null)
      await context.db.write(updateCollection, serverId, "class_histogram", null);
    return created({ id });
  },
});
