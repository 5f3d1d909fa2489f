import { createTransport } from "nodemailer";
import { isMailAddress, type MailSender } from "../core/notice/mail-address.ts";
import type { Message } from "../core/notice/message.ts";
import type { SendResult } from "../core/notice/notifier.ts";
import { fitted } from "./fitted.ts";
import { failed, sent } from "./send-result.ts";

export interface Mailer {
  readonly send: (address: string, message: Message, id: string) => Promise<SendResult>;
  /** Connections in use end with the mail they carry. */
  readonly close: () => void;
}

/** Of one attempt, ms: waiting for a free connection, and all that is said over it. */
const attemptMs = 10_000;
/** Within it, ms: from the look-up of the server's name to the connection; its first line; a silence. */
const stepMs = { connectionTimeout: 5_000, dnsTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 8_000 };

/** Characters. */
const longestSubject = 250;

/** Mail over the SMTP server at `url`, plain text to one recipient at a time. */
export function mailer(url: string, from: MailSender): Mailer {
  const transport = createTransport({
    pool: true,
    url,
    // As many as messages are sent at once: none spends its time waiting for a connection.
    maxConnections: 4,
    // Servers hang up on idle clients after a minute and more; a mail given to a dead connection is an attempt lost.
    idleTimeout: 30_000,
    // A repeat is decided where the message is kept, and counted there.
    maxRequeues: 0,
    ...stepMs,
  });
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  const send: Mailer["send"] = async (address, message, id) => {
    if (!isMailAddress(address)) return failed("provider_error", "not one plain mail address");
    const signal = AbortSignal.timeout(attemptMs);
    try {
      await transport.sendMail({
        from: { ...from },
        to: { name: "", address },
        envelope: { from: from.address, to: [address] },
        subject: fitted(message.title, longestSubject),
        text: textOf(message),
        messageId: `<${id.replaceAll(/[^A-Za-z0-9-]/g, "-")}@${host}>`,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
      return sent;
    } catch (error) {
      if (signal.aborted) return failed("timeout", `no answer within ${attemptMs} ms`);
      return refusalOf(error);
    }
  };
  return { send, close: () => transport.close() };
}

const textOf = ({ lines, link }: Message): string =>
  [...lines, ...(link === null ? [] : ["", link]), ""].join("\r\n");

function refusalOf(error: unknown): SendResult {
  if (!(error instanceof Error)) return failed("provider_error", "a defect");
  if ("code" in error && error.code === "ETIMEDOUT") return failed("timeout", "the mail server fell silent");
  const status = "responseCode" in error ? error.responseCode : null;
  const answer = typeof status === "number" ? `the mail server answered ${status}` : "no connection";
  return failed("provider_error", answer, error);
}
