import { diagnoseFleet } from "../src/endpoints/api/monitoring/diagnose-fleet.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(diagnoseFleet, {
  name: "diagnose_fleet",
  title: "Diagnose fleet",
  description:
    "Is everything all right? What is wrong with all own servers, worst first: verdict, reasons, headline, since; totals by verdict. diagnose_server has the rest of one, get_monitoring_overview figures and players.",
  arguments: { limit: "How many servers (10)" },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers"],
  needs: "monitoring",
  whenEmpty: "No server of this account has monitoring on, or none is linked.",
});
