import { selectJobs } from "../../../store/auto-bench/jobs.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { AutoBenchJob, JobStatus, toJob } from "../../../core/auto-bench/job.ts";
import { IdFilter } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import { exampleJob } from "../../../core/auto-bench/example-auto-bench.ts";

export const listAutoBenchJobs = defineEndpoint({
  id: "auto_bench_jobs.list",
  method: "GET",
  path: "/auto-bench/jobs",
  params: {},
  access: { face: "api", scope: "auto-bench:read" },
  summary:
    "Jobs of the account's targets, newest first, with status and progress, and report_id as soon as there is a report.",
  input: z.strictObject({ ...pageInput, status: JobStatus.optional(), target_id: IdFilter.optional() }),
  output: pageOf(AutoBenchJob),
  errors: [],
  example: {
    input: { target_id: exampleJob.target_id },
    output: { data: [exampleJob], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, status, target_id }, { db, caller, now, after, page }) {
    const filter = { status: status ?? null, targetId: target_id ?? null };
    const rows = await db.read(selectJobs, caller.account.id, filter, timePosition(after), limit + 1, now);
    return page(rows, limit, (row) => [row.queuedAt, row.id], toJob);
  },
});
