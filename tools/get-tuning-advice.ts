import { getTuningAdvice } from "../src/endpoints/api/report/get-tuning-advice.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reportId } from "./argument-words.ts";
import { reports } from "./id-lists.ts";

export default tool(getTuningAdvice, {
  name: "get_tuning_advice",
  title: "Get tuning advice",
  description:
    "Settings to change (JVM flags, memory, server files) after one benchmark run, most impact first, with the measurement behind each and the test to run again. not_measured is not nothing_to_change.",
  arguments: { ...reportId },
  toolset: "benchmarks",
  urls: ["/reports/{report_id}"],
  lists: { report_id: reports },
});
