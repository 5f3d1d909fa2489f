import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { getAccount } from "./accounts-admin/get-account.ts";
import { listAccounts } from "./accounts-admin/list-accounts.ts";
import { updateAccount } from "./accounts-admin/update-account.ts";
import { changeEmail } from "./accounts/change-email.ts";
import { changePassword } from "./accounts/change-password.ts";
import { checkCode } from "./accounts/check-code.ts";
import { createInvitation } from "./accounts/create-invitation.ts";
import { getWaysIn } from "./accounts/get-ways-in.ts";
import { listInvitations } from "./accounts/list-invitations.ts";
import { needsSetUp } from "./accounts/needs-set-up.ts";
import { requestEmailVerification } from "./accounts/request-email-verification.ts";
import { requestPasswordReset } from "./accounts/request-password-reset.ts";
import { resetPassword } from "./accounts/reset-password.ts";
import { setUpService } from "./accounts/set-up-service.ts";
import { signUp } from "./accounts/sign-up.ts";
import { verifyEmail } from "./accounts/verify-email.ts";
import { withdrawInvitation } from "./accounts/withdraw-invitation.ts";
import { listActiveTokens } from "./activity/list-active-tokens.ts";
import { listActivity } from "./activity/list-activity.ts";
import { deleteAlertRule } from "./alert-rules/delete-alert-rule.ts";
import { getAlert } from "./alerts/get-alert.ts";
import { createTarget } from "./auto-bench/create-target.ts";
import { deleteTarget } from "./auto-bench/delete-target.ts";
import { getRunQuota } from "./auto-bench/get-run-quota.ts";
import { redefineTarget } from "./auto-bench/redefine-target.ts";
import { askForCapture } from "./captures/ask-for-capture.ts";
import { getCaptureState } from "./captures/get-capture-state.ts";
import { createEventRule } from "./event-rules/create-event-rule.ts";
import { deleteEventRule } from "./event-rules/delete-event-rule.ts";
import { testEventRule } from "./event-rules/test-event-rule.ts";
import { updateEventRule } from "./event-rules/update-event-rule.ts";
import { deleteAccount } from "./leaving/delete-account.ts";
import { uploadMemoryFile } from "./memory-reports/upload-memory-file.ts";
import { confirmNotificationEmail } from "./notifications/confirm-notification-email.ts";
import { getNotificationSettings } from "./notifications/get-notification-settings.ts";
import { listNotices } from "./notifications/list-notices.ts";
import { markNoticesRead } from "./notifications/mark-notices-read.ts";
import { sendTestNotification } from "./notifications/send-test-notification.ts";
import { setChatWebhook } from "./notifications/set-chat-webhook.ts";
import { setNoticeChannels } from "./notifications/set-notice-channels.ts";
import { setNotificationEmail } from "./notifications/set-notification-email.ts";
import { certifyOffer } from "./offers-admin/certify-offer.ts";
import { createOffer } from "./offers-admin/create-offer.ts";
import { endCertificate } from "./offers-admin/end-certificate.ts";
import { getOffer } from "./offers-admin/get-offer.ts";
import { listProviders } from "./offers-admin/list-providers.ts";
import { removeProvider } from "./offers-admin/remove-provider.ts";
import { setDispute } from "./offers-admin/set-dispute.ts";
import { unlinkOfferServer } from "./offers-admin/unlink-offer-server.ts";
import { updateOffer } from "./offers-admin/update-offer.ts";
import { withdrawOffer } from "./offers-admin/withdraw-offer.ts";
import { getFlameGraph } from "./profiles/get-flame-graph.ts";
import { uploadProfileFile } from "./profiles/upload-profile-file.ts";
import { deleteReport } from "./reports/delete-report.ts";
import { getOwnReport } from "./reports/get-own-report.ts";
import { deleteServerGroup } from "./server-groups/delete-server-group.ts";
import { chooseOffer } from "./servers/choose-offer.ts";
import { deleteServer } from "./servers/delete-server.ts";
import { getServerSettings } from "./servers/get-server-settings.ts";
import { relinkServer } from "./servers/relink-server.ts";
import { setAddress } from "./servers/set-address.ts";
import { setMonitoring } from "./servers/set-monitoring.ts";
import { unlinkServer } from "./servers/unlink-server.ts";
import { getInstallation } from "./service-admin/get-installation.ts";
import { listServiceLog } from "./service-admin/list-service-log.ts";
import { listAllSecurityEvents, listSecurityEvents } from "./security/list-security-events.ts";
import { endOtherSessions } from "./sessions/end-other-sessions.ts";
import { endSession } from "./sessions/end-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { rememberDevice } from "./sessions/remember-device.ts";
import { signIn } from "./sessions/sign-in.ts";
import { signOut } from "./sessions/sign-out.ts";
import { createToken } from "./tokens/create-token.ts";
import { listTokens } from "./tokens/list-tokens.ts";
import { revokeToken } from "./tokens/revoke-token.ts";
import { deleteUnitTest } from "./unit-tests/delete-unit-test.ts";
import { getOwnUnitTest } from "./unit-tests/get-own-unit-test.ts";
import { setUnitTestVisibility } from "./unit-tests/set-unit-test-visibility.ts";

/** What only people do, with a browser: pages call these, no route and no tool leads to them. */
export const webEndpoints: readonly Endpoint[] = [
  getAccount,
  listAccounts,
  updateAccount,
  changeEmail,
  changePassword,
  checkCode,
  createInvitation,
  getWaysIn,
  listInvitations,
  needsSetUp,
  requestEmailVerification,
  requestPasswordReset,
  resetPassword,
  setUpService,
  signUp,
  verifyEmail,
  withdrawInvitation,
  listActiveTokens,
  listActivity,
  deleteAlertRule,
  getAlert,
  createTarget,
  deleteTarget,
  getRunQuota,
  redefineTarget,
  askForCapture,
  getCaptureState,
  createEventRule,
  deleteEventRule,
  testEventRule,
  updateEventRule,
  deleteAccount,
  uploadMemoryFile,
  confirmNotificationEmail,
  getNotificationSettings,
  listNotices,
  markNoticesRead,
  sendTestNotification,
  setChatWebhook,
  setNoticeChannels,
  setNotificationEmail,
  certifyOffer,
  createOffer,
  endCertificate,
  getOffer,
  listProviders,
  removeProvider,
  setDispute,
  unlinkOfferServer,
  updateOffer,
  withdrawOffer,
  getFlameGraph,
  uploadProfileFile,
  deleteReport,
  getOwnReport,
  deleteServerGroup,
  chooseOffer,
  deleteServer,
  getServerSettings,
  relinkServer,
  setAddress,
  setMonitoring,
  unlinkServer,
  getInstallation,
  listServiceLog,
  listAllSecurityEvents,
  listSecurityEvents,
  endOtherSessions,
  endSession,
  listSessions,
  rememberDevice,
  signIn,
  signOut,
  createToken,
  listTokens,
  revokeToken,
  deleteUnitTest,
  getOwnUnitTest,
  setUnitTestVisibility,
];
