import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { createAlertRule } from "./alert-rules/create-alert-rule.ts";
import { listAlertRules } from "./alert-rules/list-alert-rules.ts";
import { listEventAlertRules } from "./alert-rules/list-event-alert-rules.ts";
import { testAlertRule } from "./alert-rules/test-alert-rule.ts";
import { updateAlertRule } from "./alert-rules/update-alert-rule.ts";
import { acknowledgeAlert } from "./alerts/acknowledge-alert.ts";
import { listAlerts } from "./alerts/list-alerts.ts";
import { cancelAutoBenchJob } from "./auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "./auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "./auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "./auto-bench/run-auto-bench-now.ts";
import { updateAutoBenchTarget } from "./auto-bench/update-auto-bench-target.ts";
import { listServerEvents } from "./events/list-server-events.ts";
import { endMaintenance } from "./maintenance/end-maintenance.ts";
import { getMaintenance } from "./maintenance/get-maintenance.ts";
import { startMaintenance } from "./maintenance/start-maintenance.ts";
import { getServerMetrics } from "./metrics/get-server-metrics.ts";
import { getMonitoringOverview } from "./monitoring/get-monitoring-overview.ts";
import { listOffers } from "./offers/list-offers.ts";
import { compareReports } from "./reports/compare-reports.ts";
import { diagnoseReport } from "./reports/diagnose-report.ts";
import { getReport } from "./reports/get-report.ts";
import { getTuningAdvice } from "./reports/get-tuning-advice.ts";
import { judgeBeforeAfter } from "./reports/judge-before-after.ts";
import { listReports } from "./reports/list-reports.ts";
import { updateReport } from "./reports/update-report.ts";
import { createServerGroup } from "./server-groups/create-server-group.ts";
import { listServerGroups } from "./server-groups/list-server-groups.ts";
import { updateServerGroup } from "./server-groups/update-server-group.ts";
import { getRegressionVerdict } from "./servers/get-regression-verdict.ts";
import { getServerStatus } from "./servers/get-server-status.ts";
import { linkServer } from "./servers/link-server.ts";
import { listServers } from "./servers/list-servers.ts";
import { setServerGroup } from "./servers/set-server-group.ts";
import { updateServer } from "./servers/update-server.ts";
import { getTokenInfo } from "./token/get-token-info.ts";
import { getUnitTest } from "./unit-tests/get-unit-test.ts";
import { listUnitTests } from "./unit-tests/list-unit-tests.ts";
import { compareMemoryReports } from "./memory-reports/compare-memory-reports.ts";
import { getMemoryReport } from "./memory-reports/get-memory-report.ts";
import { listAccountMemoryReports } from "./memory-reports/list-account-memory-reports.ts";
import { listMemoryReports } from "./memory-reports/list-memory-reports.ts";
import { compareProfiles } from "./profiles/compare-profiles.ts";
import { getProfile } from "./profiles/get-profile.ts";
import { listAccountProfiles } from "./profiles/list-account-profiles.ts";
import { listProfileSummaries } from "./profiles/list-profile-summaries.ts";

/** The documented endpoints, in the order of the documentation. */
export const apiEndpoints: readonly Endpoint[] = [
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
  listServerEvents,
  listProfileSummaries,
  getProfile,
  compareProfiles,
  listMemoryReports,
  compareMemoryReports,
  getMemoryReport,
  getMonitoringOverview,
  listAccountProfiles,
  listAccountMemoryReports,
  getMaintenance,
  listEventAlertRules,
  listAlertRules,
  listAlerts,
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
