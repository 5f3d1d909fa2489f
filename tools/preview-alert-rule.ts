import { previewAlertRule } from "../src/endpoints/api/alert/preview-alert-rule.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { days, ruleWords } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(previewAlertRule, {
  name: "preview_alert_rule",
  title: "Preview an alert rule",
  description:
    "When a rule would have fired on an own server's last days (7): episodes, minutes in alert, messages sent and kept back, of all that was measured; live_would_have_seen leaves out what came late. Makes no rule.",
  arguments: { ...days, ...ruleWords, condition: "Left out for offline", threshold: "In the metric's unit" },
  toolset: "alerts",
  urls: ["/servers/{server_id}/rules"],
  lists: { server_id: servers },
});
