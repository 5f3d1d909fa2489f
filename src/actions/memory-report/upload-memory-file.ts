import { action } from "../../contract/endpoint/action.ts";
import { selectServer } from "../../store/server/servers.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { readAs } from "../../contract/endpoint/endpoint.ts";
import { memoryFiles, takeMemoryReport } from "../../contract/files/intake.ts";
import { resourceIdInput } from "../../core/id.ts";
import { MemoryDocument } from "../../core/memory-report/document.ts";
import type { ReadMemoryReport } from "../../core/memory-report/records.ts";

/** The file is a document of this service, a heap summary of spark, or a class histogram. */
export const uploadMemoryFile = action({
  id: "memory_reports.upload_file",
  who: "person",
  input: {
    server_id: resourceIdInput(),
    memory_report: readAs<ReadMemoryReport>()(MemoryDocument),
  },
  file: { field: "memory_report", intake: memoryFiles },
  errors: ["not_found"],

  async run({ server_id, memory_report }, context) {
    const server = context.found(await context.db.read(selectServer, server_id, ownEyes(context.caller)));
    const { id } = await takeMemoryReport(memory_report, server.id, context);
    return { id };
  },
});
