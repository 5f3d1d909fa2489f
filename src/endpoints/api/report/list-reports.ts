import { selectReports } from "../../../store/report/report-lists.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { IdFilter } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import { BenchmarkMode, Report, Visibility } from "../../../core/report/report.ts";
import { toReport } from "../../../core/report/show.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleReport } from "./example-report.ts";

export const listReports = defineEndpoint({
  id: "reports.list",
  method: "GET",
  path: "/reports",
  params: {},
  access: { face: "api", scope: "reports:read", anonymous: true },
  summary: "Benchmark reports, newest first: public and certified ones, and with a token the caller's own.",
  input: z.strictObject({
    ...pageInput,
    // `false` means the same as leaving it out.
    mine: z
      .boolean()
      .optional()
      .transform((mine) => mine === true || undefined),
    visibility: Visibility.optional(),
    server_type: plainText(64, 1).optional(),
    benchmark_mode: BenchmarkMode.optional(),
    server_id: IdFilter.optional(),
  }),
  output: pageOf(Report),
  errors: [],
  example: {
    input: { benchmark_mode: "standard", limit: 10 },
    output: { data: [exampleReport], page: { cursor: null, has_more: false } },
  },

  needsToken: ({ mine }) => mine === true,

  async handle(
    { limit, mine, visibility, server_type, benchmark_mode, server_id },
    { db, caller, now, after, page },
  ) {
    const viewer = viewerOf(caller);
    const filter = {
      mine: mine === true,
      visibility: visibility ?? null,
      // Types are stored in lower case.
      serverType: server_type?.toLowerCase() ?? null,
      benchmarkMode: benchmark_mode ?? null,
      serverId: server_id ?? null,
    };
    const rows = await db.read(selectReports, viewer, filter, timePosition(after), limit + 1, now);
    return page(
      rows,
      limit,
      (row) => [row.createdAt, row.id],
      (row) => toReport(row, viewer, now),
    );
  },
});
