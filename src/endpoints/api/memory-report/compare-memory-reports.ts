import { selectMemoryReport, selectMemoryDocument } from "../../../store/memory-report/memory-reports.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { MemoryComparison } from "../../../core/memory-report/comparison.ts";
import { exampleMemoryComparison } from "./example-memory-report.ts";

export const compareMemoryReports = defineEndpoint({
  id: "memory_reports.compare",
  method: "GET",
  path: "/servers/{id}/memory-reports/compare",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Two reports on a server's heap, the older one as the base: what grew, what appeared, what disappeared.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    base: resourceIdInput(),
    target: resourceIdInput(),
  }),
  output: MemoryComparison,
  errors: ["validation_error", "not_found"],
  example: {
    input: {
      server_id: exampleMemoryComparison.base.server_id,
      base: exampleMemoryComparison.base.id,
      target: exampleMemoryComparison.target.id,
    },
    output: exampleMemoryComparison,
  },

  check({ base, target }, { fail }) {
    if (base === target)
      fail("validation_error", "target and base are the same report. Send two different reports.", {
        field: "target",
      });
  },

  async handle({ server_id, base, target }, { db, caller, baseUrl, found, readDocuments }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)), { field: "server_id" });
    const find = async (id: string, field: string) => {
      const record = found(await db.read(selectMemoryReport, server.id, id), { field });
      return { record, document: await db.read(selectMemoryDocument, record.id) };
    };
    const sides = [await find(base, "base"), await find(target, "target")] as const;
    return readDocuments("compareMemory", { sides, baseUrl });
  },
});
