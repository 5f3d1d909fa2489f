import { diagnoseReport } from "../src/endpoints/api/report/diagnose-report.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownReports } from "./suggestions.ts";
import { reports } from "../tools/id-lists.ts";

export default resource(diagnoseReport, {
  uri: "tickmark://reports/{report_id}/diagnosis",
  urls: ["/reports/{report_id}"],
  name: "report_diagnosis",
  title: "Diagnosis of a report",
  description: "What held one benchmark run back, worst first.",
  ttlSeconds: 60,
  suggests: { report_id: ownReports },
  lists: { report_id: reports },
  whenNone: {
    findings:
      "No rule found anything in what this run measured; get_tuning_advice tells what it did not measure.",
  },
});
