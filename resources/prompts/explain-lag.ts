import { prompt } from "../../src/mcp/prompt.ts";
import getServerMetrics from "../../tools/get-server-metrics.ts";
import listServerEvents from "../../tools/list-server-events.ts";
import listProfileSummaries from "../../tools/list-profile-summaries.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "explain_lag",
  title: "What made my server slow?",
  description: "What coincides with slow ticks of one server in a period.",
  takes: {
    server: { description: "The server's id.", suggests: ownServers },
    period: {
      description: "When it was slow, such as 'yesterday 20:00 to 22:00'; the last 6 hours if left out.",
      optional: true,
    },
  },
  calls: [
    {
      tool: getServerMetrics,
      wants: "server_id and the period in UTC; mspt, tps, players, entities, chunks and memory together.",
    },
    { tool: listServerEvents, wants: "the same period; restarts, lag and what began shortly before." },
    {
      tool: listProfileSummaries,
      wants: "the same server; a profile of that time names what took the tick.",
    },
  ],
  asks: ({ server, period }) =>
    `Why was the server ${server} slow in this period: ${period ?? '"the last 6 hours"'}?`,
  answer:
    "A tick is slow above 50 ms. Name what changed together with it and how much, and keep apart what was measured (a profile's shares) from what only happened at the same time. If nothing stands out, say so and what would have to be recorded.",
});
