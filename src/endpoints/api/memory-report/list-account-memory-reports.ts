import { selectMemoryReports } from "../../../store/memory-report/memory-reports.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { IdFilter } from "../../../core/id.ts";
import { listedSpanInput, readSpan, spanMistake } from "../../../core/listed-span.ts";
import {
  AccountMemoryReport,
  MemoryReportKind,
  MemoryReportMode,
} from "../../../core/memory-report/memory-report.ts";
import { memoryReportTime, toAccountMemoryReport } from "../../../core/memory-report/show.ts";
import { timePosition } from "../../../core/position.ts";
import { readOwnRows, rowItself } from "../../../services/server/read-own-rows.ts";
import { exampleMemoryReport } from "./example-memory-report.ts";

export const listAccountMemoryReports = defineEndpoint({
  id: "memory_reports.list_all",
  method: "GET",
  path: "/monitoring/memory-reports",
  params: {},
  access: { face: "api", scope: "monitoring:read" },
  summary: "Reports on the heaps of all own servers, newest first.",
  input: z.strictObject({
    server_id: IdFilter.optional(),
    kind: MemoryReportKind.optional(),
    mode: MemoryReportMode.optional(),
    ...listedSpanInput,
    ...pageInput,
  }),
  output: pageOf(AccountMemoryReport),
  errors: ["validation_error"],
  example: {
    input: { kind: "heap-analysis", mode: "full", days: 30 },
    output: {
      data: [{ ...exampleMemoryReport, server_name: "Lobby" }],
      page: { cursor: null, has_more: false },
    },
  },

  check(input, { fail }) {
    const mistake = spanMistake(input);
    if (mistake !== null) fail("validation_error", mistake, { field: "days" });
  },

  async handle({ server_id, kind, mode, limit, ...input }, context) {
    const { caller, now, after, page, baseUrl } = context;
    const filter = {
      serverId: server_id ?? null,
      kind: kind ?? null,
      mode: mode ?? null,
      ...readSpan(input, now),
    };
    const wanted = [caller.account.id, filter, timePosition(after), limit + 1] as const;
    const rows = await readOwnRows(
      context,
      caller.account.id,
      (from) => from.read(selectMemoryReports, ...wanted),
      rowItself,
    );
    return page(
      rows,
      limit,
      (row) => [memoryReportTime(row), row.id],
      (row) => toAccountMemoryReport(row, baseUrl),
    );
  },
});
