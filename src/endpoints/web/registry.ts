import type { Endpoint } from "../../contract/endpoint.ts";
import { deleteAlertRule } from "./alert-rules/delete-alert-rule.ts";
import { getAlert } from "./alerts/get-alert.ts";
import { createTarget } from "./auto-bench/create-target.ts";
import { deleteTarget } from "./auto-bench/delete-target.ts";
import { getRunQuota } from "./auto-bench/get-run-quota.ts";
import { askForCapture } from "./captures/ask-for-capture.ts";
import { getCaptureState } from "./captures/get-capture-state.ts";
import { createEventRule } from "./event-rules/create-event-rule.ts";
import { deleteEventRule } from "./event-rules/delete-event-rule.ts";
import { testEventRule } from "./event-rules/test-event-rule.ts";
import { updateEventRule } from "./event-rules/update-event-rule.ts";
import { uploadMemoryFile } from "./memory-reports/upload-memory-file.ts";
import { confirmNotificationEmail } from "./notifications/confirm-notification-email.ts";
import { getNotificationSettings } from "./notifications/get-notification-settings.ts";
import { listNotices } from "./notifications/list-notices.ts";
import { markNoticesRead } from "./notifications/mark-notices-read.ts";
import { sendTestNotification } from "./notifications/send-test-notification.ts";
import { setChatWebhook } from "./notifications/set-chat-webhook.ts";
import { setNoticeChannels } from "./notifications/set-notice-channels.ts";
import { setNotificationEmail } from "./notifications/set-notification-email.ts";
import { getFlameGraph } from "./profiles/get-flame-graph.ts";
import { uploadProfileFile } from "./profiles/upload-profile-file.ts";

/** What only a person does, in a browser. */
export const webEndpoints: readonly Endpoint[] = [
  deleteAlertRule,
  createEventRule,
  updateEventRule,
  testEventRule,
  deleteEventRule,
  getAlert,
  getNotificationSettings,
  setNotificationEmail,
  confirmNotificationEmail,
  setChatWebhook,
  setNoticeChannels,
  sendTestNotification,
  listNotices,
  markNoticesRead,
  createTarget,
  deleteTarget,
  getRunQuota,
  askForCapture,
  getCaptureState,
  uploadMemoryFile,
  getFlameGraph,
  uploadProfileFile,
];
