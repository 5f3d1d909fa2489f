import { selectMemoryReports } from "../../../store/memory-report/memory-reports.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { MemoryReport, MemoryReportKind } from "../../../core/memory-report/memory-report.ts";
import { memoryReportTime, toMemoryReport } from "../../../core/memory-report/show.ts";
import { timePosition } from "../../../core/position.ts";
import { exampleMemoryReport } from "./example-memory-report.ts";

export const listMemoryReports = defineEndpoint({
  id: "memory_reports.list",
  method: "GET",
  path: "/servers/{id}/memory-reports",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Reports on the heap of an own server, newest first: how much is used, and which plugin holds most.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    kind: MemoryReportKind.optional(),
    ...pageInput,
  }),
  output: pageOf(MemoryReport),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleMemoryReport.server_id, kind: "heap-analysis" },
    output: { data: [exampleMemoryReport], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id, kind, limit }, { db, replica, caller, after, page, baseUrl, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const filter = { serverId: server.id, kind: kind ?? null, mode: null, from: null, to: null };
    const rows = await replica.read(
      selectMemoryReports,
      caller.account.id,
      filter,
      timePosition(after),
      limit + 1,
    );
    return page(
      rows,
      limit,
      (row) => [memoryReportTime(row), row.id],
      (row) => toMemoryReport(row, baseUrl),
    );
  },
});
