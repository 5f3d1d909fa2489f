import type { WayOut } from "../contract/access/contact-addresses.ts";
import type { MailSender } from "../core/notice/mail-address.ts";
import type { Message } from "../core/notice/message.ts";
import type { Notifier, SendResult } from "../core/notice/notifier.ts";
import { mailer } from "./mail.ts";
import { isReachable, publicReach, type Reach } from "./reach.ts";
import { failed } from "./send-result.ts";
import { sendToChat } from "./webhook.ts";

export interface NotifierOptions {
  /** Null: the service sends no mail. */
  readonly smtpUrl: string | null;
  readonly mailFrom: MailSender;
  /** Where this service is reached, before the path of a message's link. */
  readonly baseUrl: () => string;
  /** Where chat webhooks may lead. */
  readonly reach?: Reach;
}

export interface OpenNotifier extends Notifier, WayOut {
  close(): void;
}

const notConfigured: SendResult = { status: "skipped", reason: "not_configured" };

/** Mail and chat. What they show is one line a fact, whatever the texts in it hold. */
export function notifier({ smtpUrl, mailFrom, baseUrl, reach = publicReach }: NotifierOptions): OpenNotifier {
  const mail = smtpUrl === null ? null : mailer(smtpUrl, mailFrom);
  return {
    send: async (channel, destination, message, id) => {
      try {
        const shown = lineByLine(message, baseUrl());
        if (channel === "chat") return await sendToChat(destination, shown, reach);
        return mail ? await mail.send(destination, shown, id) : notConfigured;
      } catch (error) {
        return failed("provider_error", "a defect", { error });
      }
    },
    sendsMail: mail !== null,
    mayCall: (webhook) => isReachable(webhook, reach),
    close: () => mail?.close(),
  };
}

const lineByLine = (message: Message, baseUrl: string): Message => ({
  ...message,
  link: message.link === null ? null : baseUrl + message.link,
  title: oneLine(message.title),
  lines: message.lines.map(oneLine),
});

/** A line break in a name would start a line that reads like one of ours. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
