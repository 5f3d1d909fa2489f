import { listAutoBenchTargets } from "../src/endpoints/api/auto-bench/list-auto-bench-targets.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";

export default tool(listAutoBenchTargets, {
  name: "list_auto_bench_targets",
  title: "List auto-bench targets",
  description:
    "What is benchmarked by schedule or by hand: server, mode, cron in UTC, next run, failures in a row, newest job. include_internal adds the operator's own.",
  arguments: { ...cursor, include_internal: "Also the operator's own" },
  toolset: "auto_bench",
  urls: ["/auto-bench"],
  needs: "auto-bench",
  whenEmpty: "The account has no target of its own; targets are made in the dashboard.",
});
