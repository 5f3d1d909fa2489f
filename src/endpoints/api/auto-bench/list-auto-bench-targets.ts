import { selectTargets } from "../../../store/auto-bench/targets.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { AutoBenchTarget, toTarget } from "../../../core/auto-bench/target.ts";
import { timePosition } from "../../../core/position.ts";
import { exampleTarget } from "../../../core/auto-bench/example-auto-bench.ts";

export const listAutoBenchTargets = defineEndpoint({
  id: "auto_bench_targets.list",
  method: "GET",
  path: "/auto-bench/targets",
  params: {},
  access: { face: "api", scope: "auto-bench:read" },
  summary:
    "The account's auto-bench targets, newest first: what is benchmarked, the next run, and the result of the last job.",
  input: z.strictObject({
    ...pageInput,
    enabled: z.boolean().optional(),
    // `false` means the same as leaving it out.
    include_internal: z
      .boolean()
      .optional()
      .transform((include) => include === true || undefined),
  }),
  output: pageOf(AutoBenchTarget),
  errors: [],
  example: {
    input: { enabled: true },
    output: { data: [exampleTarget], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, enabled, include_internal }, { db, caller, after, page }) {
    const filter = { enabled: enabled ?? null, includeInternal: include_internal === true };
    const rows = await db.read(selectTargets, caller.account.id, filter, timePosition(after), limit + 1);
    return page(rows, limit, (row) => [row.createdAt, row.id], toTarget);
  },
});
