import { listAlerts } from "../src/endpoints/api/alert/list-alerts.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listAlerts, {
  name: "list_alerts",
  title: "List alerts",
  description:
    "Alerts of the account newest first: value, worst value, when it ended and why, and in delivery who was told or why nobody was. status=open gives threshold alerts in progress, acknowledged too; since and until what was open at some time between them.",
  arguments: {
    ...cursor,
    kind: "Rules on figures, or on events",
    rule_name: "Exact",
    notified: "Whether a message went out",
    channel: "One that a message went out on",
  },
  toolset: "alerts",
  alsoIn: ["essentials"],
  urls: ["/alerts{?status,server_id}"],
  lists: { server_id: servers },
  countedOver: ["since", "until"],
  rows: 5,
  needs: "monitoring",
  keptDays: 396,
  whenEmpty: "No alert is on record.",
});
