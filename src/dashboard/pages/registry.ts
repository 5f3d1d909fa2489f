import type { DashboardPage } from "../page.ts";
import { activityPage } from "./settings/activity/page.tsx";
import { adminAccountPage } from "./admin/account.tsx";
import { adminAccountsPage } from "./admin/accounts.tsx";
import { adminInvitationsPage } from "./admin/invitations.tsx";
import { adminOfferPage } from "./admin/offer.tsx";
import { adminOffersPage } from "./admin/offers.tsx";
import { adminSecurityPage } from "./admin/security.tsx";
import { adminServicePage } from "./admin/service.tsx";
import { alertPage } from "./alerts/alert/page.tsx";
import { alertsPage } from "./alerts/page.tsx";
import { availabilityPage } from "./servers/availability/page.tsx";
import { changesPage } from "./servers/changes/page.tsx";
import { autoBenchTargetPage } from "./auto-bench/target/page.tsx";
import { autoBenchPage } from "./auto-bench/page.tsx";
import { beforeAfterPage } from "./reports/before-after/page.tsx";
import { consentPage } from "./oauth/consent/page.tsx";
import { deleteAccountPage } from "./settings/delete-account/page.tsx";
import { digestPage } from "./digest/page.tsx";
import { displayPage } from "./settings/display/page.tsx";
import { findPage } from "./find/page.tsx";
import { groupsPage } from "./servers/groups/page.tsx";
import { memoryComparisonPage } from "./captures/memory-comparison/page.tsx";
import { memoryReportPage } from "./captures/memory-report/page.tsx";
import { memoryReportsPage } from "./captures/memory-reports/page.tsx";
import { noticesPage } from "./alerts/notices/page.tsx";
import { notificationsPage } from "./settings/notifications/page.tsx";
import { offersPage } from "./offers/page.tsx";
import { passwordForgotPage } from "./sign-in/password-forgot/page.tsx";
import { passwordResetPage } from "./sign-in/password-reset/page.tsx";
import { serverComparisonPage } from "./servers/compare/page.tsx";
import { firstStepsPage } from "./servers/first-steps/page.tsx";
import { periodsPage } from "./servers/periods/page.tsx";
import { profileComparisonPage } from "./captures/profile-comparison/page.tsx";
import { profilePage } from "./captures/profile/page.tsx";
import { profilesPage } from "./captures/profiles/page.tsx";
import { relinkPage } from "./servers/relink/page.tsx";
import { reportComparisonPage } from "./reports/comparison/page.tsx";
import { reportPage } from "./reports/report/page.tsx";
import { reportsPage } from "./reports/page.tsx";
import { rulePreviewPage } from "./servers/rules/preview/page.tsx";
import { profileLinksPage } from "./settings/security/profile-links/page.tsx";
import { rightsPage } from "./settings/security/rights/page.tsx";
import { securityLogPage } from "./settings/security/log.tsx";
import { securityPage } from "./settings/security/page.tsx";
import { passkeysPage } from "./settings/security/passkeys/page.tsx";
import { secondFactorPage } from "./settings/security/second-factor/page.tsx";
import { serverChartsPage } from "./servers/charts/page.tsx";
import { serverNowPage } from "./servers/now/page.tsx";
import { serverRulesPage } from "./servers/rules/page.tsx";
import { serverSettingsPage } from "./servers/settings/page.tsx";
import { serversPage } from "./servers/page.tsx";
import { serverTimelinePage } from "./servers/timeline/page.tsx";
import { setUpPage } from "./sign-in/set-up/page.tsx";
import { settingsPage } from "./settings/page.tsx";
import { signInRefusedPage } from "./oauth/refused/page.tsx";
import { signInPage } from "./sign-in/page.tsx";
import { signOutPage } from "./sign-in/sign-out/page.tsx";
import { signUpPage } from "./sign-in/sign-up/page.tsx";
import { startPage } from "./start/page.tsx";
import { statusPagePage } from "./status-pages/status-page/page.tsx";
import { statusPagesPage } from "./status-pages/page.tsx";
import { unitTestPage } from "./unit-tests/unit-test/page.tsx";
import { unitTestsPage } from "./unit-tests/page.tsx";
import { openCodesPage } from "./sign-in/open-codes/page.tsx";
import { verifyEmailPage } from "./sign-in/verify-email/page.tsx";

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
  availabilityPage,
  changesPage,
  autoBenchTargetPage,
  autoBenchPage,
  beforeAfterPage,
  consentPage,
  deleteAccountPage,
  digestPage,
  displayPage,
  findPage,
  firstStepsPage,
  groupsPage,
  memoryComparisonPage,
  memoryReportPage,
  memoryReportsPage,
  noticesPage,
  notificationsPage,
  offersPage,
  passwordForgotPage,
  passwordResetPage,
  serverComparisonPage,
  periodsPage,
  profileComparisonPage,
  profileLinksPage,
  rightsPage,
  profilePage,
  profilesPage,
  relinkPage,
  reportComparisonPage,
  reportPage,
  reportsPage,
  rulePreviewPage,
  securityPage,
  passkeysPage,
  secondFactorPage,
  securityLogPage,
  serverNowPage,
  serverChartsPage,
  serverTimelinePage,
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
  statusPagePage,
  statusPagesPage,
  unitTestPage,
  unitTestsPage,
  verifyEmailPage,
  openCodesPage,
];
