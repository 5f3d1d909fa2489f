import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import comparePeriods from "../../tools/compare-periods.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "did_my_change_help",
  title: "Did my change help?",
  description: "How one server ran after a change, beside how it ran before.",
  takes: {
    server: { description: "The server's id, or its name.", suggests: ownServers },
    change: { description: "What was changed and when." },
  },
  calls: [
    {
      tool: comparePeriods,
      wants:
        "server_id as given (an id or a name); target_from at the first whole day after the change, target_to=now, base_from and base_to as many days before the change, whole weeks where there are some; of fields those that the change was meant to improve.",
    },
  ],
  asks: ({ server, change }) => `Did this change of the server ${server} help: ${change}?`,
  answer:
    "Give the verdict of each field in its own words, with the shift beside the noise of such a difference, and for as many players. cannot_tell is not a verdict: say how many days are missing. The change is not proven to be the cause: say what else changed. Benchmark runs before and after it, where there are some, are judged by judge_before_after.",
});
