import { prompt } from "../../src/mcp/catalogue/prompt.ts";
import compareReports from "../../tools/compare-reports.ts";
import { ownReports } from "../suggestions.ts";

export default prompt({
  name: "compare_two_reports",
  title: "Compare two benchmark reports",
  description: "Which of two reports is better, test by test, and where they are tied.",
  takes: {
    base: { description: "The report to compare with: its id or short id.", suggests: ownReports },
    other: { description: "The other report.", suggests: ownReports },
  },
  calls: [{ tool: compareReports, wants: "base and other as given." }],
  asks: ({ base, other }) => `How does the report ${other} compare with ${base}?`,
  answer:
    "A difference inside the tie band is a tie, not a win. Name the tests that differ with their change and unit, then the ties in one line, then what could not be compared and why. A 0 was not measured and is not a low score; without totals, give the hardware row. Include the caveats in the answer.",
});
