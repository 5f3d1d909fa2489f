import type { DashboardPage } from "../page.ts";
import { activityPage } from "./activity.tsx";
import { adminAccountPage } from "./admin/account.tsx";
import { adminAccountsPage } from "./admin/accounts.tsx";
import { adminInvitationsPage } from "./admin/invitations.tsx";
import { adminOfferPage } from "./admin/offer.tsx";
import { adminOffersPage } from "./admin/offers.tsx";
import { adminSecurityPage } from "./admin/security.tsx";
import { adminServicePage } from "./admin/service.tsx";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { autoBenchTargetPage } from "./auto-bench-target.tsx";
import { autoBenchPage } from "./auto-bench.tsx";
import { beforeAfterPage } from "./before-after.tsx";
import { consentPage } from "./consent.tsx";
import { deleteAccountPage } from "./delete-account.tsx";
import { groupsPage } from "./groups.tsx";
import { memoryComparisonPage } from "./memory-comparison.tsx";
import { memoryReportPage } from "./memory-report.tsx";
import { memoryReportsPage } from "./memory-reports.tsx";
import { noticesPage } from "./notices.tsx";
import { notificationsPage } from "./notifications.tsx";
import { offersPage } from "./offers.tsx";
import { passwordForgotPage } from "./password-forgot.tsx";
import { passwordResetPage } from "./password-reset.tsx";
import { profileComparisonPage } from "./profile-comparison.tsx";
import { profilePage } from "./profile.tsx";
import { profilesPage } from "./profiles.tsx";
import { relinkPage } from "./relink.tsx";
import { reportComparisonPage } from "./report-comparison.tsx";
import { reportPage } from "./report.tsx";
import { reportsPage } from "./reports.tsx";
import { securityLogPage } from "./security/log.tsx";
import { securityPage } from "./security.tsx";
import { serverNowPage } from "./server-now.tsx";
import { serverRulesPage } from "./server-rules.tsx";
import { serverSettingsPage } from "./server-settings.tsx";
import { serversPage } from "./servers.tsx";
import { setUpPage } from "./set-up.tsx";
import { settingsPage } from "./settings.tsx";
import { signInRefusedPage } from "./sign-in-refused.tsx";
import { signInPage } from "./sign-in.tsx";
import { signOutPage } from "./sign-out.tsx";
import { signUpPage } from "./sign-up.tsx";
import { startPage } from "./start.tsx";
import { unitTestPage } from "./unit-test.tsx";
import { unitTestsPage } from "./unit-tests.tsx";
import { verifyEmailPage } from "./verify-email.tsx";

/** Every page of the dashboard. */
export const pages: readonly DashboardPage[] = [
  activityPage,
  adminAccountPage,
  adminAccountsPage,
  adminInvitationsPage,
  adminOfferPage,
  adminOffersPage,
  adminServicePage,
  adminSecurityPage,
  alertPage,
  alertsPage,
  autoBenchTargetPage,
  autoBenchPage,
  beforeAfterPage,
  consentPage,
  deleteAccountPage,
  groupsPage,
  memoryComparisonPage,
  memoryReportPage,
  memoryReportsPage,
  noticesPage,
  notificationsPage,
  offersPage,
  passwordForgotPage,
  passwordResetPage,
  profileComparisonPage,
  profilePage,
  profilesPage,
  relinkPage,
  reportComparisonPage,
  reportPage,
  reportsPage,
  securityPage,
  securityLogPage,
  serverNowPage,
  serverRulesPage,
  serverSettingsPage,
  serversPage,
  setUpPage,
  settingsPage,
  signInRefusedPage,
  signInPage,
  signOutPage,
  signUpPage,
  startPage,
  unitTestPage,
  unitTestsPage,
  verifyEmailPage,
];
