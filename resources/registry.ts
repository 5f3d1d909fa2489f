import type { Resource } from "../src/mcp/catalogue/resource.ts";
import maintenance from "./maintenance.ts";
import memoryReport from "./memory-report.ts";
import monitoringOverview from "./monitoring-overview.ts";
import profile from "./profile.ts";
import reportDiagnosis from "./report-diagnosis.ts";
import reportTuning from "./report-tuning.ts";
import report from "./report.ts";
import serverGroups from "./server-groups.ts";
import serverHealth from "./server-health.ts";
import serverRegression from "./server-regression.ts";
import serverStatus from "./server-status.ts";
import token from "./token.ts";
import unitTest from "./unit-test.ts";

/** Every resource and template, in the order a model sees them. */
export const resources: readonly Resource[] = [
  report,
  reportDiagnosis,
  reportTuning,
  unitTest,
  serverStatus,
  serverHealth,
  serverRegression,
  profile,
  memoryReport,
  maintenance,
  monitoringOverview,
  serverGroups,
  token,
];
