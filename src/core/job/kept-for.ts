import { dialogueKeptMs } from "../access/dialogue.ts";
import { dayMs, hourMs } from "../time.ts";

/** Rows of a server are deleted so long after they leave the plan's window: a lapse loses nothing at once. */
const graceMs = 30 * dayMs;

/** How long rows stay that nobody can ask for any more, ms. */
export const keptMs = {
  /** The longest window is a day. */
  rateWindow: 25 * hourMs,
  writeReplay: dayMs,
  /** After it is over. */
  session: dayMs,
  oneTimeCode: dayMs,
  /** A code that nobody used; a plugin asks for a new one after 15 minutes. */
  unusedLinkCode: dayMs,
  /** A code that was used, until its plugin has surely fetched its credential. */
  usedLinkCode: 30 * dayMs,
  /** How long a plugin with an old credential is answered that it was replaced. */
  revokedCredential: 90 * dayMs,
  expiredReport: graceMs,
  /** The longest viewing window and the grace. */
  resolvedAlert: 366 * dayMs + graceMs,
  inbox: 90 * dayMs,
  testMessage: hourMs,
  /** An address whose code came too late. */
  pendingAddress: dayMs,
  /** After it expired. */
  profileLink: dayMs,
  /** How long an expired access token is answered that it has expired. */
  oauthRecord: dayMs,
  /** After its last use, with all that it watches. */
  dialogueSession: dialogueKeptMs,
  /** After nobody can answer it any more: the call that asked may still read an answer of the last moment. */
  dialogueQuestion: hourMs,
  /** What tokens did. */
  activity: 30 * dayMs,
  /** What happened to the service itself. */
  serviceLog: 90 * dayMs,
  /** What happened that matters to the safety of accounts. */
  securityLog: 90 * dayMs,
  /** A scheduled run; its reports stay. */
  finishedJob: 400 * dayMs,
  /** On every plan; the profile itself goes by the plan. */
  profileSummary: 365 * dayMs,
} as const;
