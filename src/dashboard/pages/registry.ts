import type { DashboardPage } from "../page.ts";
import { activityPage } from "./activity/page.tsx";
import { adminAccountPage } from "./admin/account.tsx";
import { adminAccountsPage } from "./admin/accounts.tsx";
import { adminInvitationsPage } from "./admin/invitations.tsx";
import { adminOfferPage } from "./admin/offer.tsx";
import { adminOffersPage } from "./admin/offers.tsx";
import { adminSecurityPage } from "./admin/security.tsx";
import { adminServicePage } from "./admin/service.tsx";
import { alertPage } from "./alert/page.tsx";
import { alertsPage } from "./alerts/page.tsx";
import { autoBenchTargetPage } from "./auto-bench-target/page.tsx";
import { autoBenchPage } from "./auto-bench/page.tsx";
import { beforeAfterPage } from "./before-after/page.tsx";
import { consentPage } from "./consent/page.tsx";
import { deleteAccountPage } from "./delete-account/page.tsx";
import { groupsPage } from "./groups/page.tsx";
import { memoryComparisonPage } from "./memory-comparison/page.tsx";
import { memoryReportPage } from "./memory-report/page.tsx";
import { memoryReportsPage } from "./memory-reports/page.tsx";
import { noticesPage } from "./notices/page.tsx";
import { notificationsPage } from "./notifications/page.tsx";
import { offersPage } from "./offers/page.tsx";
import { passwordForgotPage } from "./password-forgot/page.tsx";
import { passwordResetPage } from "./password-reset/page.tsx";
import { profileComparisonPage } from "./profile-comparison/page.tsx";
import { profilePage } from "./profile/page.tsx";
import { profilesPage } from "./profiles/page.tsx";
import { relinkPage } from "./relink/page.tsx";
import { reportComparisonPage } from "./report-comparison/page.tsx";
import { reportPage } from "./report/page.tsx";
import { reportsPage } from "./reports/page.tsx";
import { securityLogPage } from "./security/log.tsx";
import { securityPage } from "./security/page.tsx";
import { serverNowPage } from "./server-now/page.tsx";
import { serverRulesPage } from "./server-rules/page.tsx";
import { serverSettingsPage } from "./server-settings/page.tsx";
import { serversPage } from "./servers/page.tsx";
import { setUpPage } from "./set-up/page.tsx";
import { settingsPage } from "./settings/page.tsx";
import { signInRefusedPage } from "./sign-in-refused/page.tsx";
import { signInPage } from "./sign-in/page.tsx";
import { signOutPage } from "./sign-out/page.tsx";
import { signUpPage } from "./sign-up/page.tsx";
import { startPage } from "./start/page.tsx";
import { unitTestPage } from "./unit-test/page.tsx";
import { unitTestsPage } from "./unit-tests/page.tsx";
import { verifyEmailPage } from "./verify-email/page.tsx";

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
