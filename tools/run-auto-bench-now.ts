import { runAutoBenchNow } from "../src/endpoints/api/auto-bench/run-auto-bench-now.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { targets } from "./id-lists.ts";

export default tool(runAutoBenchNow, {
  name: "run_auto_bench_now",
  title: "Run auto-bench now",
  description:
    "Queues a benchmark job of a target and returns its job_id at once; list_auto_bench_jobs with target_id shows it until report_id appears. Takes runs_per_job of the plan's runs in 24 hours; one job at a time per target.",
  toolset: "auto_bench",
  urls: ["/auto-bench/{target_id}"],
  lists: { target_id: targets },
});
