import { judgeBeforeAfter } from "../src/endpoints/api/report/judge-before-after.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reports, servers } from "./id-lists.ts";

export default tool(judgeBeforeAfter, {
  name: "judge_before_after",
  title: "Judge a change",
  description:
    "Did one change help, by benchmark runs (by what players met: compare_periods)? 3 to 10 report ids before and after it, or server_id and the two times: five runs next to each. target: a code of get_tuning_advice, or a score (total, entities, disk). declared: other fields changed on purpose, as refusals name them (config.view_distance). inconclusive is usual and no verdict; refusals say why.",
  arguments: {
    before: "Report ids from before the change",
    after: "Report ids from after it",
    before_until: "Runs that ended before this time",
    after_from: "Runs that ended from then on",
    target: "What was to get better",
    declared: "Other fields changed on purpose",
  },
  toolset: "benchmarks",
  urls: ["/reports/before-after{?before,after,target,declared}", "/reports/before-after"],
  lists: { before: reports, after: reports, server_id: servers },
});
