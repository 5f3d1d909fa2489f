import { diagnoseReport } from "../src/endpoints/api/report/diagnose-report.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reportId } from "./argument-words.ts";
import { reports } from "./id-lists.ts";

export default tool(diagnoseReport, {
  name: "diagnose_report",
  title: "Diagnose a report",
  description:
    "What held one benchmark run back, worst first: each finding with its cause and the values that show it. The diagnosis guide explains the codes; get_tuning_advice says what to change.",
  arguments: { ...reportId },
  toolset: "benchmarks",
  urls: ["/reports/{report_id}"],
  lists: { report_id: reports },
  whenNone: {
    findings:
      "No rule found anything in what this run measured; get_tuning_advice tells what it did not measure.",
  },
});
