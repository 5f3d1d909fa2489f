import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import judgeBeforeAfter from "../../tools/judge-before-after.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "did_benchmarks_improve",
  title: "Did my change help in benchmarks?",
  description: "The verdict on benchmark runs before and after a change.",
  takes: {
    server: { description: "The server's id, or its name.", suggests: ownServers },
    change: { description: "What was changed and when." },
  },
  calls: [
    {
      tool: judgeBeforeAfter,
      wants:
        "server_id as given (an id or a name), before_until and after_from at the time of the change, in target what the change was meant to improve (hardware where reports have total 0, which means not measured), in declared the settings it names, such as config.view_distance.",
    },
  ],
  asks: ({ server, change }) => `Did this change of the server ${server} help: ${change}?`,
  answer:
    "Give the verdict in its own words, refusals to conclude included, with the number of runs and the spread. Say that the verdict assumes that this was the only change. If runs are missing, say how many on which side.",
});
