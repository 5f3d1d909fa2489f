import { selectUnitTests } from "../../../store/unit-test/unit-tests.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { IdFilter, IdOrShortFilter } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { toUnitTest } from "../../../core/unit-test/show.ts";
import { UnitTest, UnitTestMode } from "../../../core/unit-test/unit-test.ts";
import { exampleUnitTest } from "./example-unit-test.ts";

export const listUnitTests = defineEndpoint({
  id: "unit_tests.list",
  method: "GET",
  path: "/unit-tests",
  params: {},
  access: { face: "api", scope: "unit-tests:read", anonymous: true },
  summary: "Single tests, newest first: public ones, and with a token the caller's own.",
  input: z.strictObject({
    ...pageInput,
    // `false` means the same as leaving it out.
    mine: z
      .boolean()
      .optional()
      .transform((mine) => mine === true || undefined),
    test_id: plainText(64, 1).optional(),
    category: plainText(64, 1).optional(),
    benchmark_mode: UnitTestMode.optional(),
    parent_report_id: IdOrShortFilter.optional(),
    server_id: IdFilter.optional(),
  }),
  output: pageOf(UnitTest),
  errors: [],
  example: {
    input: { test_id: "entities_ai", limit: 10 },
    output: { data: [exampleUnitTest], page: { cursor: null, has_more: false } },
  },

  needsToken: ({ mine }) => mine === true,

  async handle({ limit, ...input }, { db, caller, now, after, page }) {
    const viewer = viewerOf(caller);
    const filter = {
      mine: input.mine === true,
      testId: input.test_id ?? null,
      category: input.category ?? null,
      benchmarkMode: input.benchmark_mode ?? null,
      parentReportId: input.parent_report_id ?? null,
      serverId: input.server_id ?? null,
    };
    const rows = await db.read(selectUnitTests, viewer, filter, timePosition(after), limit + 1, now);
    return page(
      rows,
      limit,
      (row) => [row.createdAt, row.id],
      (row) => toUnitTest(row, viewer),
    );
  },
});
