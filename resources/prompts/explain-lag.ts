import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import getServerMetrics from "../../tools/get-server-metrics.ts";
import listProfileSummaries from "../../tools/list-profile-summaries.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "explain_lag",
  title: "What made my server slow?",
  description: "What happened at the same time as slow ticks of one server in a period.",
  takes: {
    server: { description: "The server's id, or its name.", suggests: ownServers },
    period: {
      description: "When it was slow, such as 'yesterday 20:00 to 22:00'; the last 6 hours if left out.",
      optional: true,
    },
  },
  calls: [
    {
      tool: listProfileSummaries,
      wants:
        "server_id as given (an id or a name), days up to the period; one of that time, or the newest with trigger lag, names what took the tick.",
    },
    {
      tool: getServerMetrics,
      wants:
        "the same server_id, the period in UTC; of fields at most five: tps, mspt, and what may explain them (player_count, entity_count, heap_after_gc_mb).",
    },
  ],
  asks: ({ server, period }) =>
    `Why was the server ${server} slow in this period: ${period ?? '"the last 6 hours"'}?`,
  answer:
    "A tick is slow above 50 ms. Name what changed at the same time and by how much, and separate what was measured (a profile's shares) from what only happened at the same time. If nothing stands out, say so, and what would have to be recorded. One more call, list_server_events of the period, shows restarts, backups and single slow ticks.",
});
