import { dialogueKeptMs } from "../access/dialogue.ts";
import { dayMs, hourMs } from "../time.ts";

/** Rows of a server outlive the plan's window by this, so that a lapse loses nothing at once, ms. */
const graceMs = 30 * dayMs;

/** Retention, ms. */
export const keptMs = {
  /** The longest window is a day. */
  rateWindow: 25 * hourMs,
  writeReplay: dayMs,
  /** After its end. */
  session: dayMs,
  oneTimeCode: dayMs,
  /** A plugin asks for a new code after 15 minutes. */
  unusedLinkCode: dayMs,
  /** Until its plugin has surely fetched its credential. */
  usedLinkCode: 30 * dayMs,
  /** A plugin with a replaced credential is told so for this long. */
  revokedCredential: 90 * dayMs,
  expiredReport: graceMs,
  /** The longest retention of a plan, and the grace. */
  resolvedAlert: 366 * dayMs + graceMs,
  inbox: 90 * dayMs,
  testMessage: hourMs,
  /** After its code expired. */
  pendingAddress: dayMs,
  /** After it expired. */
  profileLink: dayMs,
  /** An expired access token is answered as expired for this long. */
  oauthRecord: dayMs,
  /** After its last use, together with what it watches. */
  dialogueSession: dialogueKeptMs,
  /** After it expired: the waiting call may still read a last-moment answer. */
  dialogueQuestion: hourMs,
  activity: 30 * dayMs,
  serviceLog: 90 * dayMs,
  securityLog: 90 * dayMs,
  /** The job's reports are kept longer. */
  finishedJob: 400 * dayMs,
  /** On every plan; the profile's document is kept by the plan. */
  profileSummary: 365 * dayMs,
} as const;
