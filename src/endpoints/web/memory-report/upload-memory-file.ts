import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { created, defineEndpoint, readAs } from "../../../contract/endpoint/endpoint.ts";
import { memoryFiles, takeMemoryReport } from "../../../contract/files/intake.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { MemoryDocument } from "../../../core/memory-report/document.ts";
import { exampleMemoryUpload } from "../../../core/memory-report/example-document.ts";
import type { ReadMemoryReport } from "../../../core/memory-report/records.ts";

export const uploadMemoryFile = defineEndpoint({
  id: "memory_reports.upload_file",
  method: "POST",
  path: "/servers/{id}/memory-reports",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "Add a report on the heap to an own server from a file: a document of this service, a heap summary of spark, or a class histogram.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    memory_report: readAs<ReadMemoryReport>()(MemoryDocument),
  }),
  wholeBody: "memory_report",
  files: memoryFiles,
  output: z.object({ id: Id }),
  success: [201, 200],
  errors: ["not_found"],
  idempotent: true,
  example: {
    input: { server_id: "019a9f5e-1d00-7000-8000-000000000010", memory_report: exampleMemoryUpload },
    output: { id: "019a9f5e-1d00-7000-8000-000000000052" },
  },

  async handle({ server_id, memory_report }, context) {
    const server = context.found(await context.db.read(selectServer, server_id, ownEyes(context.caller)));
    const { id, created: isNew } = await takeMemoryReport(memory_report, server.id, context);
    return isNew ? created({ id }) : { id };
  },
});
