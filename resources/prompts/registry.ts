import type { Prompt } from "../../src/mcp/catalogue/prompt.ts";
import chooseAlertRule from "./choose-alert-rule.ts";
import compareTwoReports from "./compare-two-reports.ts";
import didBenchmarksImprove from "./did-benchmarks-improve.ts";
import didMyChangeHelp from "./did-my-change-help.ts";
import explainLag from "./explain-lag.ts";
import healthCheck from "./health-check.ts";
import weeklyReview from "./weekly-review.ts";

/** Every prompt, in the order a client offers them. */
export const prompts: readonly Prompt[] = [
  healthCheck,
  explainLag,
  didMyChangeHelp,
  chooseAlertRule,
  compareTwoReports,
  didBenchmarksImprove,
  weeklyReview,
];
