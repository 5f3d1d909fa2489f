import { getTuningAdvice } from "../src/endpoints/api/report/get-tuning-advice.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownReports } from "./suggestions.ts";
import { reports } from "../tools/id-lists.ts";

export default resource(getTuningAdvice, {
  uri: "tickmark://reports/{report_id}/tuning",
  urls: ["/reports/{report_id}"],
  name: "report_tuning",
  title: "Tuning advice for a report",
  description: "Settings to change after one benchmark run, most impact first.",
  ttlSeconds: 60,
  suggests: { report_id: ownReports },
  lists: { report_id: reports },
});
