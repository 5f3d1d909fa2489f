import type { OutgoingChannels } from "../app/access/contact-addresses.ts";
import type { MessageChannel } from "../core/notice/channel.ts";
import type { MailSender } from "../core/notice/mail-address.ts";
import type { Message } from "../core/notice/message.ts";
import type { Notifier, SendResult, SignedWebhook } from "../core/notice/notifier.ts";
import type { WebhookEvent } from "../core/notice/webhook-event.ts";
import { webhookUrl } from "../core/notice/webhook-url.ts";
import type { Instant } from "../core/time.ts";
import { chatPost } from "./chat-message.ts";
import type { Mailer } from "./mail.ts";
import { isReachable, publicReach, type Reach } from "./reach.ts";
import { failed } from "./send-result.ts";
import { signedHeaders } from "./signed-event.ts";
import { postToWebhook } from "./webhook.ts";

export interface NotifierOptions {
  /** Null: the service sends no mail. */
  readonly smtpUrl: string | null;
  readonly mailFrom: MailSender;
  /** For the links in messages. */
  readonly baseUrl: () => string;
  readonly reach?: Reach;
  /** Called with the reason when every mail fails. */
  readonly mailTroubled?: (words: string) => void;
}

export interface OpenNotifier extends Notifier, OutgoingChannels {
  close(): void;
}

const notConfigured: SendResult = { status: "skipped", reason: "not_configured" };

type Send = (destination: string, message: Message, id: string) => Promise<SendResult>;

export function notifier({
  smtpUrl,
  mailFrom,
  baseUrl,
  reach = publicReach,
  mailTroubled = () => {},
}: NotifierOptions): OpenNotifier {
  let isClosed = false;
  // Most services never send mail, so the mailer is loaded for the first one.
  let opened: Promise<Mailer> | null = null;
  const mailer = (url: string): Promise<Mailer> =>
    (opened ??= import("./mail.ts").then((mail) => mail.mailer(url, mailFrom, mailTroubled)));
  const senders: Readonly<Record<MessageChannel, Send>> = {
    chat: (destination, message) => sendToChat(destination, message, reach),
    email: async (destination, message, id) => {
      if (smtpUrl === null) return notConfigured;
      if (isClosed) return failed("provider_error", "the service has ended");
      return (await mailer(smtpUrl)).send(destination, message, id);
    },
  };
  return {
    send: async (channel, destination, message, id) => {
      try {
        return await senders[channel](destination, lineByLine(message, baseUrl()), id);
      } catch (error) {
        return failed("provider_error", "a defect", { error });
      }
    },
    post: async (webhook, event, id, now) => {
      try {
        return await postEvent(webhook, wholeLink(event, baseUrl()), { id, now, reach });
      } catch (error) {
        return failed("provider_error", "a defect", { error });
      }
    },
    sendsMail: smtpUrl !== null,
    mayCall: (webhook) => isReachable(webhook, reach),
    close: () => {
      isClosed = true;
      void opened?.then((mail) => mail.close());
    },
  };
}

const noWebhook = failed("provider_error", "not the address of a webhook", { again: "never" });

async function sendToChat(destination: string, message: Message, reach: Reach): Promise<SendResult> {
  const webhook = webhookUrl(destination);
  if (webhook === null) return noWebhook;
  const { url, body } = chatPost(webhook, message);
  return postToWebhook({ url, body: JSON.stringify(body) }, reach);
}

interface Attempt {
  readonly id: string;
  readonly now: Instant;
  readonly reach: Reach;
}

async function postEvent(
  { url: destination, secrets }: SignedWebhook,
  event: WebhookEvent,
  { id, now, reach }: Attempt,
): Promise<SendResult> {
  const url = webhookUrl(destination);
  if (url === null) return noWebhook;
  const body = JSON.stringify(event);
  return postToWebhook({ url, body, headers: signedHeaders(secrets, id, body, now) }, reach);
}

const wholeLink = (event: WebhookEvent, baseUrl: string): WebhookEvent => {
  const { url } = event.data;
  return { ...event, data: { ...event.data, url: url === null ? null : baseUrl + url } };
};

const lineByLine = (message: Message, baseUrl: string): Message => ({
  ...message,
  link: message.link === null ? null : baseUrl + message.link,
  title: oneLine(message.title),
  lines: message.lines.map(oneLine),
});

/** A line break in a name could start a line that looks like ours. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
