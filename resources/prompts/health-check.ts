import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import diagnoseServer from "../../tools/diagnose-server.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "health_check",
  title: "Is my server healthy?",
  description: "What is wrong with one server, since when, and what to do.",
  takes: {
    server: {
      description: "The server's id, or its name.",
      suggests: ownServers,
    },
  },
  calls: [
    {
      tool: diagnoseServer,
      wants:
        "server_id as given (an id or a name); the last 24 hours unless the question names another period.",
    },
  ],
  asks: ({ server }) => `Is the server ${server} healthy?`,
  answer:
    "Say the verdict and the headline first, then each finding with its figures, units, threshold and since when. What stands in coincides_with happened near that time; do not call it the cause. Then say what to do, in the order of next, and what is not measured. A server that is stopped or paused is not at fault. The verdict unknown means that there is too little data, not that the server is healthy.",
});
