import type { Page } from "../page.ts";
import { autoBenchTargetPage } from "./auto-bench-target.tsx";
import { autoBenchPage } from "./auto-bench.tsx";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { beforeAfterPage } from "./before-after.tsx";
import { consentPage } from "./consent.tsx";
import { memoryComparisonPage } from "./memory-comparison.tsx";
import { memoryReportPage } from "./memory-report.tsx";
import { memoryReportsPage } from "./memory-reports.tsx";
import { noticesPage } from "./notices.tsx";
import { notificationsPage } from "./notifications.tsx";
import { offersPage } from "./offers.tsx";
import { profileComparisonPage } from "./profile-comparison.tsx";
import { profilePage } from "./profile.tsx";
import { profilesPage } from "./profiles.tsx";
import { reportComparisonPage } from "./report-comparison.tsx";
import { reportPage } from "./report.tsx";
import { reportsPage } from "./reports.tsx";
import { serverRulesPage } from "./server-rules.tsx";
import { signInRefusedPage } from "./sign-in-refused.tsx";
import { startPage } from "./start.tsx";
import { unitTestPage } from "./unit-test.tsx";
import { unitTestsPage } from "./unit-tests.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  alertPage,
  alertsPage,
  beforeAfterPage,
  consentPage,
  memoryComparisonPage,
  autoBenchPage,
  autoBenchTargetPage,
  memoryReportPage,
  memoryReportsPage,
  noticesPage,
  notificationsPage,
  offersPage,
  profileComparisonPage,
  profilePage,
  profilesPage,
  reportComparisonPage,
  reportPage,
  reportsPage,
  serverRulesPage,
  signInRefusedPage,
  startPage,
  unitTestPage,
  unitTestsPage,
];
