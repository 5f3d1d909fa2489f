import { acknowledgeAlert } from "../src/endpoints/api/alert/acknowledge-alert.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { alerts } from "./id-lists.ts";

export default tool(acknowledgeAlert, {
  name: "acknowledge_alert",
  title: "Acknowledge an alert",
  description:
    "Stops the notifications of an open alert, which stays open until it recovers. Recorded, and its owner told. An alert that is over answers invalid_state.",
  toolset: "alerts",
  urls: ["/alerts/{alert_id}"],
  lists: { alert_id: alerts },
  confirms: [{ when: null, words: "Send no more notifications of alert {alert_id}?" }],
});
