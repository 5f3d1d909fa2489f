import { getServerStatus } from "../src/endpoints/api/server/get-server-status.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getServerStatus, {
  name: "get_server_status",
  title: "Server status",
  description:
    "Whether one own server runs, since when, and its last measurement (TPS, MSPT, memory, players). A moment, not a history.",
  arguments: { top: "How many regions" },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}"],
  previews: { regions: 5 },
  lists: { server_id: servers },
});
