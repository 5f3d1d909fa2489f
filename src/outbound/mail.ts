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
  /** Connections in use end after their mail. */
  readonly close: () => void;
}

/** The time until the server accepts the text of a mail, including the wait for a free connection, ms. */
const agreedMs = 10_000;
/**
 * The time until the server accepted the whole mail, ms. Servers check for spam first, and a late answer
 * makes the mail arrive twice. Shorter than the lease of a message.
 */
const takenMs = 45_000;
/** Limits of single steps, ms; `socketTimeout` limits a silence. */
const stepMs = {
  connectionTimeout: 5_000,
  dnsTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: takenMs,
};

const longestSubject = 250;

/** Plain-text mail over the SMTP server at `url`. `troubled` gets the reason when every mail fails. */
export function mailer(url: string, from: MailSender, troubled: (words: string) => void): Mailer {
  const transport = createTransport({
    pool: true,
    url,
    // As many as messages are sent at once, so that none waits for a connection.
    maxConnections: 4,
    // Servers close idle connections after a minute or more; a mail sent on a closed one is a lost attempt.
    idleTimeout: 30_000,
    // The outbox decides on repeats and counts them.
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

/** Starts the time limits of one attempt. `texts` has the mail's text once there is one. */
function attempt(texts: WeakMap<AbortSignal, Readable>) {
  const ending = new AbortController();
  const { signal } = ending;
  /** The text is read only after the server accepted it. */
  const isSent = (): boolean => texts.get(signal)?.readableDidRead ?? false;
  const timers = [
    setTimeout(() => {
      if (!isSent()) ending.abort();
    }, agreedMs),
    setTimeout(() => ending.abort(), takenMs),
  ];
  return { signal, isSent, end: () => timers.forEach(clearTimeout) };
}
