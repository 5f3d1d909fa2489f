import { listAutoBenchJobs } from "../src/endpoints/api/auto-bench/list-auto-bench-jobs.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";
import { targets } from "./id-lists.ts";

export default tool(listAutoBenchJobs, {
  name: "list_auto_bench_jobs",
  title: "List auto-bench jobs",
  description:
    "Jobs of auto-bench targets newest first: status, progress, why one failed; report_id once a run produced a report.",
  arguments: { ...cursor },
  toolset: "auto_bench",
  urls: ["/auto-bench/{target_id}", "/auto-bench"],
  lists: { target_id: targets },
  needs: "auto-bench",
  whenEmpty: "No job is on record; run_auto_bench_now queues one.",
});
