import { updateAutoBenchTarget } from "../src/endpoints/api/auto-bench/update-auto-bench-target.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { targets } from "./id-lists.ts";

export default tool(updateAutoBenchTarget, {
  name: "update_auto_bench_target",
  title: "Update auto-bench target",
  description:
    "Renames, annotates, reschedules (five-field cron, UTC, fires 60 minutes apart or more; null for none) or switches a target on or off; on clears its failures.",
  arguments: { schedule_cron: "Five fields, UTC; null for none", notes: "For the owner alone" },
  toolset: "auto_bench",
  urls: ["/auto-bench/{target_id}"],
  lists: { target_id: targets },
});
