import type { Tool } from "../src/mcp/catalogue/tool.ts";
import listEventAlertRules from "./list-event-alert-rules.ts";
import listAlertRules from "./list-alert-rules.ts";
import listAccountAlertRules from "./list-account-alert-rules.ts";
import listAvailability from "./list-availability.ts";
import listAlerts from "./list-alerts.ts";
import previewAlertRule from "./preview-alert-rule.ts";
import createAlertRule from "./create-alert-rule.ts";
import updateAlertRule from "./update-alert-rule.ts";
import testAlertRule from "./test-alert-rule.ts";
import acknowledgeAlert from "./acknowledge-alert.ts";
import listAutoBenchTargets from "./list-auto-bench-targets.ts";
import listAutoBenchJobs from "./list-auto-bench-jobs.ts";
import runAutoBenchNow from "./run-auto-bench-now.ts";
import cancelAutoBenchJob from "./cancel-auto-bench-job.ts";
import updateAutoBenchTarget from "./update-auto-bench-target.ts";
import compareReports from "./compare-reports.ts";
import createServerGroup from "./create-server-group.ts";
import diagnoseReport from "./diagnose-report.ts";
import endMaintenance from "./end-maintenance.ts";
import getMaintenance from "./get-maintenance.ts";
import getMonitoringOverview from "./get-monitoring-overview.ts";
import diagnoseFleet from "./diagnose-fleet.ts";
import diagnoseServer from "./diagnose-server.ts";
import getRegressionVerdict from "./get-regression-verdict.ts";
import getReport from "./get-report.ts";
import getServerMetrics from "./get-server-metrics.ts";
import getServerStatus from "./get-server-status.ts";
import getServerSoftware from "./get-server-software.ts";
import listAccountSoftware from "./list-account-software.ts";
import getTokenInfo from "./get-token-info.ts";
import getTuningAdvice from "./get-tuning-advice.ts";
import judgeBeforeAfter from "./judge-before-after.ts";
import getUnitTest from "./get-unit-test.ts";
import linkServer from "./link-server.ts";
import listOffers from "./list-offers.ts";
import listReports from "./list-reports.ts";
import listServerGroups from "./list-server-groups.ts";
import listAccountEvents from "./list-account-events.ts";
import listServerEvents from "./list-server-events.ts";
import listServers from "./list-servers.ts";
import listUnitTests from "./list-unit-tests.ts";
import setServerGroup from "./set-server-group.ts";
import startMaintenance from "./start-maintenance.ts";
import updateReport from "./update-report.ts";
import updateServer from "./update-server.ts";
import updateServerGroup from "./update-server-group.ts";
import compareMemoryReports from "./compare-memory-reports.ts";
import comparePeriods from "./compare-periods.ts";
import compareProfiles from "./compare-profiles.ts";
import getMemoryReport from "./get-memory-report.ts";
import getProfile from "./get-profile.ts";
import listAccountMemoryReports from "./list-account-memory-reports.ts";
import listAccountProfiles from "./list-account-profiles.ts";
import listMemoryReports from "./list-memory-reports.ts";
import listProfileSummaries from "./list-profile-summaries.ts";

/** Every tool, in the order a model sees them: reading first, what changes something last. */
export const tools: readonly Tool[] = [
  listReports,
  getReport,
  compareReports,
  diagnoseReport,
  getTuningAdvice,
  judgeBeforeAfter,
  listUnitTests,
  getUnitTest,
  listOffers,
  getTokenInfo,
  listServers,
  getRegressionVerdict,
  listServerGroups,
  listAutoBenchTargets,
  listAutoBenchJobs,
  getServerStatus,
  getServerMetrics,
  comparePeriods,
  listAccountEvents,
  listServerEvents,
  listAccountProfiles,
  listProfileSummaries,
  getProfile,
  compareProfiles,
  listAccountMemoryReports,
  listMemoryReports,
  compareMemoryReports,
  getMemoryReport,
  diagnoseServer,
  diagnoseFleet,
  getServerSoftware,
  listAccountSoftware,
  getMonitoringOverview,
  listAvailability,
  getMaintenance,
  listEventAlertRules,
  listAlertRules,
  listAccountAlertRules,
  listAlerts,
  previewAlertRule,
  updateServer,
  createServerGroup,
  updateServerGroup,
  setServerGroup,
  linkServer,
  updateReport,
  createAlertRule,
  updateAlertRule,
  testAlertRule,
  acknowledgeAlert,
  startMaintenance,
  endMaintenance,
  runAutoBenchNow,
  cancelAutoBenchJob,
  updateAutoBenchTarget,
];
