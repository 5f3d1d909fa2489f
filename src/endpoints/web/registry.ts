import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { getAccount } from "./access/get-account.ts";
import { listAccounts } from "./access/list-accounts.ts";
import { updateAccount } from "./access/update-account.ts";
import { changeEmail } from "./access/change-email.ts";
import { changePassword } from "./access/change-password.ts";
import { checkCode } from "./access/check-code.ts";
import { createInvitation } from "./access/create-invitation.ts";
import { completeSignIn } from "./access/complete-sign-in.ts";
import { confirmPerson } from "./access/confirm-person.ts";
import { disableSecondFactor } from "./access/disable-second-factor.ts";
import { enableSecondFactor } from "./access/enable-second-factor.ts";
import { getSecondFactor } from "./access/get-second-factor.ts";
import { prepareSecondFactor } from "./access/prepare-second-factor.ts";
import { renewRecoveryCodes } from "./access/renew-recovery-codes.ts";
import { createPasskey } from "./access/create-passkey.ts";
import { deletePasskey } from "./access/delete-passkey.ts";
import { getSecondStep } from "./access/get-second-step.ts";
import { listPasskeys } from "./access/list-passkeys.ts";
import { preparePasskey } from "./access/prepare-passkey.ts";
import { requestOwnPasskey } from "./access/request-own-passkey.ts";
import { requestSignInPasskey } from "./access/request-sign-in-passkey.ts";
import { signInWithPasskey } from "./access/sign-in-with-passkey.ts";
import { getWaysIn } from "./access/get-ways-in.ts";
import { listInvitations } from "./access/list-invitations.ts";
import { needsSetUp } from "./access/needs-set-up.ts";
import { requestEmailVerification } from "./access/request-email-verification.ts";
import { requestPasswordReset } from "./access/request-password-reset.ts";
import { openFactor } from "./access/open-factor.ts";
import { resetPassword } from "./access/reset-password.ts";
import { setUpService } from "./access/set-up-service.ts";
import { signUp } from "./access/sign-up.ts";
import { verifyEmail } from "./access/verify-email.ts";
import { withdrawInvitation } from "./access/withdraw-invitation.ts";
import { listActiveTokens } from "./access/list-active-tokens.ts";
import { listActivity } from "./access/list-activity.ts";
import { deleteAlertRule } from "./alert/delete-alert-rule.ts";
import { getAlert } from "./alert/get-alert.ts";
import { createTarget } from "./auto-bench/create-target.ts";
import { deleteTarget } from "./auto-bench/delete-target.ts";
import { getRunQuota } from "./auto-bench/get-run-quota.ts";
import { redefineTarget } from "./auto-bench/redefine-target.ts";
import { askForCapture } from "./server/ask-for-capture.ts";
import { getCaptureState } from "./server/get-capture-state.ts";
import { createEventRule } from "./alert/create-event-rule.ts";
import { deleteEventRule } from "./alert/delete-event-rule.ts";
import { testEventRule } from "./alert/test-event-rule.ts";
import { updateEventRule } from "./alert/update-event-rule.ts";
import { deleteAccount } from "./access/delete-account.ts";
import { getDigest } from "./digest/get-digest.ts";
import { createRecurringMaintenance } from "./maintenance/create-recurring-maintenance.ts";
import { deleteRecurringMaintenance } from "./maintenance/delete-recurring-maintenance.ts";
import { listMaintenanceWindows } from "./maintenance/list-maintenance-windows.ts";
import { listRecurringMaintenance } from "./maintenance/list-recurring-maintenance.ts";
import { updateRecurringMaintenance } from "./maintenance/update-recurring-maintenance.ts";
import { uploadMemoryFile } from "./memory-report/upload-memory-file.ts";
import { confirmNotificationEmail } from "./notice/confirm-notification-email.ts";
import { getAttention } from "./notice/get-attention.ts";
import { getNotificationSettings } from "./notice/get-notification-settings.ts";
import { listNotices } from "./notice/list-notices.ts";
import { markNoticesRead } from "./notice/mark-notices-read.ts";
import { rotateWebhookSecret } from "./notice/rotate-webhook-secret.ts";
import { sendTestNotification } from "./notice/send-test-notification.ts";
import { setChatWebhook } from "./notice/set-chat-webhook.ts";
import { setDigestChannels } from "./notice/set-digest-channels.ts";
import { setNoticeChannels } from "./notice/set-notice-channels.ts";
import { setNotificationEmail } from "./notice/set-notification-email.ts";
import { setSecondChannel } from "./notice/set-second-channel.ts";
import { setWebhook } from "./notice/set-webhook.ts";
import { certifyOffer } from "./offer/certify-offer.ts";
import { createOffer } from "./offer/create-offer.ts";
import { endCertificate } from "./offer/end-certificate.ts";
import { getOffer } from "./offer/get-offer.ts";
import { listProviders } from "./offer/list-providers.ts";
import { removeProvider } from "./offer/remove-provider.ts";
import { setDispute } from "./offer/set-dispute.ts";
import { unlinkOfferServer } from "./offer/unlink-offer-server.ts";
import { updateOffer } from "./offer/update-offer.ts";
import { withdrawOffer } from "./offer/withdraw-offer.ts";
import { getFlameGraph } from "./profile/get-flame-graph.ts";
import { getFlameTree } from "./profile/get-flame-tree.ts";
import { uploadProfileFile } from "./profile/upload-profile-file.ts";
import { deleteReport } from "./report/delete-report.ts";
import { createProfileLink } from "./profile/create-profile-link.ts";
import { findSharedProfile } from "./profile/find-shared-profile.ts";
import { getSharedProfile } from "./profile/get-shared-profile.ts";
import { listOwnProfileLinks } from "./profile/list-own-profile-links.ts";
import { listProfileLinks } from "./profile/list-profile-links.ts";
import { revokeProfileLink } from "./profile/revoke-profile-link.ts";
import { getOwnReport } from "./report/get-own-report.ts";
import { listReportNames } from "./report/list-report-names.ts";
import { setReportLabel } from "./report/set-report-label.ts";
import { deleteServerGroup } from "./server/delete-server-group.ts";
import { chooseOffer } from "./server/choose-offer.ts";
import { deleteServer } from "./server/delete-server.ts";
import { getServerSettings } from "./server/get-server-settings.ts";
import { relinkServer } from "./server/relink-server.ts";
import { setAddress } from "./server/set-address.ts";
import { setMonitoring } from "./server/set-monitoring.ts";
import { unlinkServer } from "./server/unlink-server.ts";
import { getInstallation } from "./service-log/get-installation.ts";
import { listServiceLog } from "./service-log/list-service-log.ts";
import { listAllSecurityEvents, listSecurityEvents } from "./security-log/list-security-events.ts";
import { endOtherSessions } from "./access/end-other-sessions.ts";
import { endSession } from "./access/end-session.ts";
import { listSessions } from "./access/list-sessions.ts";
import { rememberDevice } from "./access/remember-device.ts";
import { signIn } from "./access/sign-in.ts";
import { signOut } from "./access/sign-out.ts";
import { createToken } from "./access/create-token.ts";
import { listTokens } from "./access/list-tokens.ts";
import { revokeToken } from "./access/revoke-token.ts";
import { createStatusPage } from "./status-page/create-status-page.ts";
import { deleteStatusPage } from "./status-page/delete-status-page.ts";
import { findStatusPage } from "./status-page/find-status-page.ts";
import { getPublicStatus } from "./status-page/get-public-status.ts";
import { listStatusPages } from "./status-page/list-status-pages.ts";
import { moveStatusPage } from "./status-page/move-status-page.ts";
import { updateStatusPage } from "./status-page/update-status-page.ts";
import { deleteUnitTest } from "./unit-test/delete-unit-test.ts";
import { getOwnUnitTest } from "./unit-test/get-own-unit-test.ts";
import { setUnitTestVisibility } from "./unit-test/set-unit-test-visibility.ts";

/** What only people do, with a browser: pages call these, no route and no tool leads to them. */
export const webEndpoints: readonly Endpoint[] = [
  getAccount,
  listAccounts,
  updateAccount,
  changeEmail,
  changePassword,
  checkCode,
  completeSignIn,
  confirmPerson,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  prepareSecondFactor,
  renewRecoveryCodes,
  createPasskey,
  deletePasskey,
  getSecondStep,
  listPasskeys,
  preparePasskey,
  requestOwnPasskey,
  requestSignInPasskey,
  signInWithPasskey,
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
  openFactor,
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
  getDigest,
  createRecurringMaintenance,
  deleteRecurringMaintenance,
  listMaintenanceWindows,
  listRecurringMaintenance,
  updateRecurringMaintenance,
  uploadMemoryFile,
  confirmNotificationEmail,
  getAttention,
  getNotificationSettings,
  listNotices,
  markNoticesRead,
  sendTestNotification,
  setChatWebhook,
  setDigestChannels,
  setNoticeChannels,
  setNotificationEmail,
  setSecondChannel,
  setWebhook,
  rotateWebhookSecret,
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
  getFlameTree,
  uploadProfileFile,
  deleteReport,
  createProfileLink,
  findSharedProfile,
  getSharedProfile,
  listOwnProfileLinks,
  listProfileLinks,
  revokeProfileLink,
  getOwnReport,
  listReportNames,
  setReportLabel,
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
  createStatusPage,
  deleteStatusPage,
  findStatusPage,
  getPublicStatus,
  listStatusPages,
  moveStatusPage,
  updateStatusPage,
  deleteUnitTest,
  getOwnUnitTest,
  setUnitTestVisibility,
];
