import { listServers } from "../src/endpoints/api/server/list-servers.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";

export default tool(listServers, {
  name: "list_servers",
  title: "List servers",
  description:
    "Linked game servers with their ids and settings; not whether they run (get_server_status). owner is me or an account id.",
  arguments: {
    ...cursor,
    owner: "me or an account id",
    verified: "Whether its plugin or agent was ever in contact",
  },
  toolset: "fleet",
  alsoIn: ["profiling", "alerts"],
  urls: ["/servers"],
  whenEmpty: "No server is linked to this account yet; link_server links one by the code its plugin prints.",
});
