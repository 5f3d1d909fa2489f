import { createAlertRule } from "../src/endpoints/api/alert/create-alert-rule.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { ruleWords } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(createAlertRule, {
  name: "create_alert_rule",
  title: "Create an alert rule",
  description:
    "Makes a rule on an own server: below or above a threshold (in MB, ms, percent, counts) for duration_minutes (default 5). offline takes neither condition nor threshold. In-app is on, email and chat are off unless set.",
  arguments: { ...ruleWords },
  toolset: "alerts",
  urls: ["/servers/{server_id}/rules"],
  lists: { server_id: servers },
});
