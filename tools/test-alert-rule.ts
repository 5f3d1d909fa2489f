import { testAlertRule } from "../src/endpoints/api/alert-rules/test-alert-rule.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(testAlertRule, {
  name: "test_alert_rule",
  title: "Send a test message",
  description:
    "Sends a rule's message now, marked [TEST], and tells what each channel did. Leaves no alert. Five in ten minutes an account.",
  toolset: "alerts",
  lists: ["list_alert_rules"],
  whenMissing:
    "Rules on events (list_event_alert_rules) are read-only here; they are made and changed in the dashboard.",
});
