import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import previewAlertRule from "../../tools/preview-alert-rule.ts";
import { ownServers } from "../suggestions.ts";

export default prompt({
  name: "choose_alert_rule",
  title: "Which alert rule fits my server?",
  description: "How often a rule would have fired on one server's recorded history.",
  takes: {
    server: { description: "The server's id, or its name.", suggests: ownServers },
    wish: { description: "What you want to be told about, such as 'when it lags for ten minutes'." },
  },
  calls: [
    {
      tool: previewAlertRule,
      wants:
        "server_id as given (an id or a name), the metric, condition, threshold and duration_minutes that say the wish, days=7 or more.",
    },
  ],
  asks: ({ server, wish }) => `Which alert rule tells me this about the server ${server}: ${wish}?`,
  answer:
    "Say how often the rule would have fired, how long it would have held, and how many messages would have gone out. If that is too often or never, say which figure to change and what one more preview would show. Make no rule until the person agrees; create_alert_rule makes it.",
});
