import { updateAlertRule } from "../src/endpoints/api/alert/update-alert-rule.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { ruleWords } from "./argument-words.ts";
import { rules } from "./id-lists.ts";

export default tool(updateAlertRule, {
  name: "update_alert_rule",
  title: "Change an alert rule",
  description:
    "Changes the sent fields of a rule. enabled=false pauses it and closes its alert; mute_minutes silences it for that long, 0 unmutes. Silencing is recorded and its owner told.",
  arguments: { ...ruleWords, enabled: "false pauses it", mute_minutes: "From now; 0 unmutes" },
  toolset: "alerts",
  urls: ["/servers/{answer.server_id}/rules"],
  lists: { rule_id: rules },
  whenMissing: {
    rule_id:
      "Rules on events (list_event_alert_rules) are read-only here; they are made and changed in the dashboard.",
  },
  confirms: [
    {
      when: { argument: "enabled", is: [false] },
      words: "Pause alert rule {rule_id} until it is turned on again?",
    },
    {
      when: { argument: "mute_minutes", is: "above zero" },
      words: "Silence alert rule {rule_id} for {mute_minutes} minutes?",
    },
  ],
});
