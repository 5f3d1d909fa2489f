import type { Endpoint } from "../../contract/endpoint/endpoint.ts";
import { claimLinkCode } from "./claim-link-code.ts";
import { requestLinkCode } from "./request-link-code.ts";
import { sendEvents } from "./send-events.ts";
import { sendHeartbeat } from "./send-heartbeat.ts";
import { sendSamples } from "./send-samples.ts";
import { sendSoftware } from "./send-software.ts";
import { uploadMemoryReport } from "./upload-memory-report.ts";
import { uploadProfile } from "./upload-profile.ts";
import { uploadReport } from "./upload-report.ts";
import { uploadUnitTests } from "./upload-unit-tests.ts";

/** In the order in which a plugin calls them. */
export const pluginEndpoints: readonly Endpoint[] = [
  requestLinkCode,
  claimLinkCode,
  sendHeartbeat,
  sendSamples,
  sendEvents,
  sendSoftware,
  uploadReport,
  uploadUnitTests,
  uploadProfile,
  uploadMemoryReport,
];
