import { updateServer } from "../src/endpoints/api/server/update-server.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(updateServer, {
  name: "update_server",
  title: "Change a server",
  description:
    "Renames an own server or changes what others see of it. Fields left out stay as they are; the group is set_server_group's.",
  arguments: {
    is_public: "Listed to others",
    show_address_on_report: "Address stands on public reports",
    notify_on_report: "Tell the owner of new reports",
  },
  toolset: "fleet",
  urls: ["/servers/{server_id}/settings"],
  lists: { server_id: servers },
  confirms: [
    {
      when: { argument: "is_public", is: [true] },
      words: "Show server {server_id} to everybody?",
    },
    {
      when: { argument: "show_address_on_report", is: [true] },
      words: "Show the address of server {server_id} to whoever reads its reports?",
    },
  ],
});
