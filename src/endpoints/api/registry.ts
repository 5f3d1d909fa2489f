import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { createAlertRule } from "./alert/create-alert-rule.ts";
import { listAlertRules } from "./alert/list-alert-rules.ts";
import { listEventAlertRules } from "./alert/list-event-alert-rules.ts";
import { previewAlertRule } from "./alert/preview-alert-rule.ts";
import { testAlertRule } from "./alert/test-alert-rule.ts";
import { updateAlertRule } from "./alert/update-alert-rule.ts";
import { acknowledgeAlert } from "./alert/acknowledge-alert.ts";
import { listAlerts } from "./alert/list-alerts.ts";
import { cancelAutoBenchJob } from "./auto-bench/cancel-auto-bench-job.ts";
import { listAutoBenchJobs } from "./auto-bench/list-auto-bench-jobs.ts";
import { listAutoBenchTargets } from "./auto-bench/list-auto-bench-targets.ts";
import { runAutoBenchNow } from "./auto-bench/run-auto-bench-now.ts";
import { updateAutoBenchTarget } from "./auto-bench/update-auto-bench-target.ts";
import { listAccountEvents } from "./event/list-account-events.ts";
import { listServerEvents } from "./event/list-server-events.ts";
import { endMaintenance } from "./maintenance/end-maintenance.ts";
import { getMaintenance } from "./maintenance/get-maintenance.ts";
import { startMaintenance } from "./maintenance/start-maintenance.ts";
import { comparePeriods } from "./metric/compare-periods.ts";
import { getServerMetrics } from "./metric/get-server-metrics.ts";
import { getMonitoringOverview } from "./monitoring/get-monitoring-overview.ts";
import { diagnoseServer } from "./health/diagnose-server.ts";
import { diagnoseFleet } from "./monitoring/diagnose-fleet.ts";
import { getServerSoftware } from "./software/get-server-software.ts";
import { listAccountSoftware } from "./software/list-account-software.ts";
import { listOffers } from "./offer/list-offers.ts";
import { compareReports } from "./report/compare-reports.ts";
import { diagnoseReport } from "./report/diagnose-report.ts";
import { getReport } from "./report/get-report.ts";
import { getTuningAdvice } from "./report/get-tuning-advice.ts";
import { judgeBeforeAfter } from "./report/judge-before-after.ts";
import { listReports } from "./report/list-reports.ts";
import { updateReport } from "./report/update-report.ts";
import { createServerGroup } from "./server/create-server-group.ts";
import { listServerGroups } from "./server/list-server-groups.ts";
import { updateServerGroup } from "./server/update-server-group.ts";
import { getRegressionVerdict } from "./server/get-regression-verdict.ts";
import { getServerStatus } from "./server/get-server-status.ts";
import { linkServer } from "./server/link-server.ts";
import { listServers } from "./server/list-servers.ts";
import { setServerGroup } from "./server/set-server-group.ts";
import { updateServer } from "./server/update-server.ts";
import { getTokenInfo } from "./access/get-token-info.ts";
import { getUnitTest } from "./unit-test/get-unit-test.ts";
import { listUnitTests } from "./unit-test/list-unit-tests.ts";
import { compareMemoryReports } from "./memory-report/compare-memory-reports.ts";
import { getMemoryReport } from "./memory-report/get-memory-report.ts";
import { listAccountMemoryReports } from "./memory-report/list-account-memory-reports.ts";
import { listMemoryReports } from "./memory-report/list-memory-reports.ts";
import { compareProfiles } from "./profile/compare-profiles.ts";
import { getProfile } from "./profile/get-profile.ts";
import { listAccountProfiles } from "./profile/list-account-profiles.ts";
import { listProfileSummaries } from "./profile/list-profile-summaries.ts";

/** The documented endpoints, in the order of the documentation, and additions among their like. */
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
  comparePeriods,
  listServerEvents,
  listProfileSummaries,
  getProfile,
  compareProfiles,
  listMemoryReports,
  compareMemoryReports,
  getMemoryReport,
  diagnoseServer,
  diagnoseFleet,
  getServerSoftware,
  listAccountSoftware,
  getMonitoringOverview,
  listAccountEvents,
  listAccountProfiles,
  listAccountMemoryReports,
  getMaintenance,
  listEventAlertRules,
  listAlertRules,
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
