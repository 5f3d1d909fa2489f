import { testAlertRule } from "../src/endpoints/api/alert/test-alert-rule.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { rules } from "./id-lists.ts";

export default tool(testAlertRule, {
  name: "test_alert_rule",
  title: "Send a test message",
  description:
    "Sends a rule's message now, marked [TEST], and tells what each channel did. Leaves no alert. Five in ten minutes an account.",
  toolset: "alerts",
  lists: { rule_id: rules },
  whenMissing: {
    rule_id:
      "Rules on events (list_event_alert_rules) are read-only here; they are made and changed in the dashboard.",
  },
});
