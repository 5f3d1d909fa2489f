import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import getServerStatus from "../../tools/get-server-status.ts";
import listAlerts from "../../tools/list-alerts.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "health_check",
  title: "Is my server healthy?",
  description: "How one server is now, and what is wrong with it.",
  takes: {
    server: {
      description: "The server's id, or its name.",
      suggests: ownServers,
    },
  },
  calls: [
    {
      tool: getServerStatus,
      wants:
        "server_id as given (an id or a name); state and since when, both steps under monitoring, the last figures and their age.",
    },
    {
      tool: listAlerts,
      wants: "the same server_id, status open; which alerts were raised, and who was notified.",
    },
  ],
  asks: ({ server }) => `Is the server ${server} healthy right now?`,
  answer:
    "Say the state and since when first, then the figures that need attention, with unit and age: TPS below 18 of 20, MSPT above 40 ms of the 50 ms of a tick, heap_after_gc_mb close to ram_max_mb. If a figure is null, say that it is not measured. If the server does not run or sends nothing, explain that by the steps under monitoring before any figure.",
});
