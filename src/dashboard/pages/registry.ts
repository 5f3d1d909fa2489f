import type { Page } from "../page.ts";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { consentPage } from "./consent.tsx";
import { memoryComparisonPage } from "./memory-comparison.tsx";
import { memoryReportPage } from "./memory-report.tsx";
import { memoryReportsPage } from "./memory-reports.tsx";
import { noticesPage } from "./notices.tsx";
import { notificationsPage } from "./notifications.tsx";
import { profileComparisonPage } from "./profile-comparison.tsx";
import { profilePage } from "./profile.tsx";
import { profilesPage } from "./profiles.tsx";
import { serverRulesPage } from "./server-rules.tsx";
import { signInRefusedPage } from "./sign-in-refused.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  alertPage,
  alertsPage,
  consentPage,
  memoryComparisonPage,
  memoryReportPage,
  memoryReportsPage,
  noticesPage,
  notificationsPage,
  profileComparisonPage,
  profilePage,
  profilesPage,
  serverRulesPage,
  signInRefusedPage,
];
