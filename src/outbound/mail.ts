import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { isMailAddress, type MailSender } from "../core/notice/mail-address.ts";
import type { Message } from "../core/notice/message.ts";
import type { Again, SendResult } from "../core/notice/notifier.ts";
import { mailFailure, type MailFailure } from "./mail-failure.ts";
import { shortened } from "./shortened.ts";
import { failed, sent } from "./send-result.ts";

export interface Mailer {
  readonly send: (address: string, message: Message, id: string) => Promise<SendResult>;
  /** Connections in use end with the mail they carry. */
  readonly close: () => void;
}

/** Until the server has agreed to take the text of a mail, waiting for a free connection included, ms. */
const agreedMs = 10_000;
/**
 * The time until a server accepted a mail, ms: servers check for spam before they answer, and a mail that is sent
 * again because the answer came late arrives twice. Shorter than the lease of a message.
 */
const takenMs = 45_000;
/** The limits, ms: from the lookup of the server's name to the connection; its first line; a silence. */
const stepMs = {
  connectionTimeout: 5_000,
  dnsTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: takenMs,
};

/** Characters. */
const longestSubject = 250;

/**
 * Mail over the SMTP server at `url`, plain text to one recipient at a time. `troubled` receives in words what keeps every
 * mail back.
 */
export function mailer(url: string, from: MailSender, troubled: (words: string) => void): Mailer {
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
  const texts = new WeakMap<AbortSignal, Readable>();
  transport.use("stream", ({ data, message }, done) => {
    const { signal } = data;
    if (signal) message.processFunc((text: Readable) => (texts.set(signal, text), text));
    done();
  });
  const host = from.address.slice(from.address.lastIndexOf("@") + 1);
  const send: Mailer["send"] = async (address, message, id) => {
    if (!isMailAddress(address))
      return failed("provider_error", "not one plain mail address", { again: "never" });
    const { signal, isSent, end } = attempt(texts);
    try {
      await transport.sendMail({
        from: { ...from },
        to: { name: "", address },
        envelope: { from: from.address, to: [address] },
        subject: shortened(message.title, longestSubject),
        text: textOf(message),
        messageId: `<${id.replaceAll(/[^A-Za-z0-9-]/g, "-")}@${host}>`,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
      return sent;
    } catch (error) {
      const again = isSent() ? "unknown" : "later";
      const { result, trouble } = signal.aborted ? lateAnswer(again) : mailFailure(error, again);
      if (trouble !== null) troubled(trouble);
      return result;
    } finally {
      end();
    }
  };
  return { send, close: () => transport.close() };
}

const lateAnswer = (again: Again): MailFailure => ({
  result: failed("timeout", "no answer in time", { again }),
  trouble: "the mail server did not answer in time",
});

const textOf = ({ lines, link }: Message): string =>
  [...lines, ...(link === null ? [] : ["", link]), ""].join("\r\n");

/** One attempt's limits of time; `texts` has the text of its mail once there is one. */
function attempt(texts: WeakMap<AbortSignal, Readable>) {
  const ending = new AbortController();
  const { signal } = ending;
  /** The text is read when the server has agreed to take it. */
  const isSent = (): boolean => texts.get(signal)?.readableDidRead ?? false;
  const timers = [
    setTimeout(() => {
      if (!isSent()) ending.abort();
    }, agreedMs),
    setTimeout(() => ending.abort(), takenMs),
  ];
  return { signal, isSent, end: () => timers.forEach(clearTimeout) };
}
