import { prompt } from "../../src/mcp/prompt.ts";
import getServerStatus from "../../tools/get-server-status.ts";
import listAlerts from "../../tools/list-alerts.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "health_check",
  title: "Is my server healthy?",
  description: "How one server is now, and what is wrong with it.",
  takes: {
    server: {
      description: "The server's id, from list_servers or the overview.",
      suggests: ownServers,
    },
  },
  calls: [
    {
      tool: getServerStatus,
      wants: "server_id as given; state, its reason, the last figures and their age.",
    },
    { tool: listAlerts, wants: "the same server_id, status open; what was raised and who was told." },
  ],
  asks: ({ server }) => `Is the server ${server} healthy right now?`,
  answer:
    "Say the state first, then each figure that is out of its range with its unit and age. Where a figure is null say that it is not measured. If the server does not run, the reason in the status comes before any figure.",
});
