import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import getMonitoringOverview from "../../tools/get-monitoring-overview.ts";
import listAlerts from "../../tools/list-alerts.ts";

export default prompt({
  name: "weekly_review",
  title: "How was the week?",
  description:
    "All servers over the last seven days: which alerts were raised, which are open, what needs attention.",
  takes: {},
  calls: [
    { tool: getMonitoringOverview, wants: "all servers at once: state and last figures." },
    {
      tool: listAlerts,
      wants: "since=-7d, limit=25; counts says which rule fired how often, delivery who was notified.",
    },
  ],
  asks: () => "How did my servers do in the last seven days?",
  answer:
    "Begin with what needs somebody now, then name the servers that were quiet in one line. Count alerts by server and rule, and say where nobody was notified, and why. If one server stands out, name the one call that would explain it, but do not make it.",
});
