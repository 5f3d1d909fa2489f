import type { Again, SendFailed } from "../core/notice/notifier.ts";
import { failed } from "./send-result.ts";

export interface MailFailure {
  readonly result: SendFailed;
  /** What stops every mail, for the operator to fix; null if only this mail failed. */
  readonly trouble: string | null;
}

/** By the codes of Node.js and OpenSSL. The library's own messages quote names, so they are not used. */
const connectionWords: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate of the mail server is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate of the mail server comes from an authority of its own",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate of the mail server comes from an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate of the mail server comes from an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate of the mail server comes from an unknown authority",
  CERT_HAS_EXPIRED: "the certificate of the mail server has expired",
  CERT_NOT_YET_VALID: "the certificate of the mail server is not valid yet by the clock of this machine",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the certificate of the mail server is for another name than TICKMARK_SMTP_URL has",
  ERR_SSL_WRONG_VERSION_NUMBER:
    "the port of the mail server does not begin with TLS: use smtp:// in place of smtps://",
  EPROTO: "the mail server and this service have no version of TLS in common",
  ECONNREFUSED: "the mail server refused the connection: nothing listens at its port",
  ECONNRESET: "the mail server closed the connection",
  EHOSTUNREACH: "no network leads to the mail server",
  ENETUNREACH: "no network leads to the mail server",
  ENOTFOUND: "the name of the mail server is unknown",
  EAI_AGAIN: "the name of the mail server could not be looked up",
  // From here on: codes of nodemailer, for errors without one of the above.
  ETIMEDOUT: "the mail server did not answer in time",
  EDNS: "the name of the mail server could not be looked up",
  ECONNECTION: "the mail server closed the connection",
  ETLS: "TLS with the mail server could not be begun",
  EAUTH: "the sign-in at the mail server was not possible",
  EPROTOCOL: "what answers at the port is no mail server",
};

/** Answers to a sign-in (RFC 4954). */
const signInStatuses: ReadonlySet<number> = new Set([530, 534, 535, 538]);

interface Answered {
  readonly status: number;
  /** The enhanced status (RFC 3463), such as 5.7.1; null if the server gave none. */
  readonly enhanced: string | null;
  readonly text: string;
  readonly code: unknown;
  readonly command: string;
}

/**
 * Whether the refusal is about this service: the next mail would be refused too, so all mails wait until the
 * operator has fixed it.
 */
function isAboutUs({ status, enhanced, text, code, command }: Answered): boolean {
  if (status < 500) return false;
  if (code !== "EENVELOPE" && code !== "EMESSAGE") return true;
  if (signInStatuses.has(status)) return true;
  if (command === "MAIL FROM") return status !== 552;
  // Most servers also say it in words, next to an address that can contain any word.
  if (enhanced !== null) return enhanced.startsWith("5.7.") || enhanced === "5.1.8";
  const words = text.split(/\s+/).filter((word) => !word.includes("@"));
  return status === 553 || status === 554 || /relay|authenti[cf]/i.test(words.join(" "));
}

function answerWords({ status, code, command }: Answered, isOurs: boolean): string {
  if (!isOurs) return `the mail server answered ${status}`;
  if (code === "EAUTH" || signInStatuses.has(status))
    return `the mail server refused the sign-in (${status}): check user and password of TICKMARK_SMTP_URL`;
  if (code === "ETLS") return `the mail server begins no TLS (${status}), which TICKMARK_SMTP_URL requires`;
  if (code !== "EENVELOPE" && code !== "EMESSAGE")
    return `the mail server takes nothing from this service (${status})`;
  return command === "MAIL FROM"
    ? `the mail server refused the sender (${status}): check TICKMARK_MAIL_FROM`
    : `the mail server passes no mail on for this service (${status}): check its sign-in and TICKMARK_MAIL_FROM`;
}

/** Members that nodemailer adds to an error. */
const membersOf = (error: Error): Readonly<Record<string, unknown>> => ({ ...error });

const answeredBy = (error: Error): Answered | null => {
  const { responseCode, response, code, command } = membersOf(error);
  if (typeof responseCode !== "number") return null;
  const text = typeof response === "string" ? response : "";
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null;
  return { status: responseCode, enhanced, text, code, command: typeof command === "string" ? command : "" };
};

/** `unanswered` says whether a mail without an answer is sent again. */
export function mailFailure(error: unknown, unanswered: Again): MailFailure {
  if (!(error instanceof Error)) return { result: failed("provider_error", "a defect"), trouble: null };
  const answered = answeredBy(error);
  if (answered !== null) {
    const isOurs = isAboutUs(answered);
    const words = answerWords(answered, isOurs);
    const again = answered.status >= 500 && !isOurs ? "never" : "later";
    return { result: failed("provider_error", words, { again }), trouble: isOurs ? words : null };
  }
  const { code, originalCode } = membersOf(error);
  const known = [originalCode, code].find(
    (one) => typeof one === "string" && Object.hasOwn(connectionWords, one),
  );
  const reason = [originalCode, code].includes("ETIMEDOUT") ? "timeout" : "provider_error";
  const words = connectionWords[String(known)];
  const options = { again: unanswered, error: words === undefined ? error : null };
  return {
    result: failed(reason, words ?? "no connection to the mail server", options),
    trouble: words ?? "there is no connection to the mail server",
  };
}
