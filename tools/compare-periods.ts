import { comparePeriods } from "../src/endpoints/api/metric/compare-periods.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(comparePeriods, {
  name: "compare_periods",
  title: "Compare two periods",
  description:
    "Did one own server change (with as many players)? By benchmark runs: judge_before_after. Two periods, 7 days before against the last 7 unless given: per field verdict, shift and noise; by UTC hour and player band; how many players fit. Under 5 days a side the verdict is preliminary_*, from 2 h in common on. A change is not a cause, cannot_tell no verdict.",
  arguments: {
    base: "As long, just before",
    base_from: "Earlier period",
    base_to: "Its end",
    target_from: "Period judged",
    target_to: "Its end",
    fields: "What is compared",
  },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}"],
  lists: { server_id: servers },
});
