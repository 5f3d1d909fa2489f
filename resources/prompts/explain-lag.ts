import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import diagnoseServer from "../../tools/diagnose-server.ts";
import listProfileSummaries from "../../tools/list-profile-summaries.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "explain_lag",
  title: "What made my server slow?",
  description: "What was wrong, and what happened at the same time, when one server was slow.",
  takes: {
    server: { description: "The server's id, or its name.", suggests: ownServers },
    period: {
      description: "When it was slow, such as 'yesterday 20:00 to 22:00'; the last 6 hours if left out.",
      optional: true,
    },
  },
  calls: [
    {
      tool: diagnoseServer,
      wants: "server_id as given (an id or a name), the period as from and to in UTC (or from=-6h).",
    },
    {
      tool: listProfileSummaries,
      wants:
        "the same server_id, days up to the period; the profile of that time, or the newest with trigger lag, names what took the tick.",
    },
  ],
  asks: ({ server, period }) =>
    `Why was the server ${server} slow in this period: ${period ?? '"the last 6 hours"'}?`,
  answer:
    "Begin with the findings about ticks, with their figures and since when. Separate what was measured (a profile's shares) from what only happened at the same time (coincides_with, changes). If nothing stands out, say so, and what not_measured would have shown. The figures of the judgement are those before the end of the period; get_server_metrics draws the whole period, for one more call.",
});
