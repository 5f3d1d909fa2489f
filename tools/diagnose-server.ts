import { diagnoseServer } from "../src/endpoints/api/health/diagnose-server.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(diagnoseServer, {
  name: "diagnose_server",
  title: "Diagnose server",
  description:
    'What is wrong with one own server, since when, what changed near that, next steps; availability of the period (24h). Start here for "is it healthy, why is it slow?".',
  arguments: { top: "How many changes" },
  toolset: "fleet",
  urls: ["/servers/{server_id}"],
  previews: { changes: 5 },
  lists: { server_id: servers },
  needs: "monitoring",
});
