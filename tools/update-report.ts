import { updateReport } from "../src/endpoints/api/report/update-report.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reportId } from "./argument-words.ts";
import { reports } from "./id-lists.ts";

export default tool(updateReport, {
  name: "update_report",
  title: "Change a report",
  description:
    "Changes an own report's visibility, description or private notes. public and unlisted let others read it; null clears a text.",
  arguments: {
    ...reportId,
    visibility: "public: listed; unlisted: by link",
    description: "Shown to readers",
    private_notes: "Shown to the author alone",
  },
  toolset: "benchmarks",
  urls: ["/reports/{report_id}"],
  lists: { report_id: reports },
  confirms: [
    {
      when: { argument: "visibility", is: ["public", "unlisted"] },
      words: "Let others read benchmark report {report_id} ({visibility})?",
    },
  ],
});
