import type { Instant } from "../time.ts";
import type { MessageChannel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** `unreadable`: no secret of the service opens the stored address. */
export type SendFailure = "provider_error" | "timeout" | "rate_limited" | "unreadable";

/** `never`: refused for good; `unknown`: all of it was sent without an answer, so it may have arrived. */
export type Again = "later" | "never" | "unknown";

export interface SendFailed {
  readonly status: "failed";
  readonly reason: SendFailure;
  /** For the operator's log only; it holds neither an address nor a URL. */
  readonly detail: string;
  readonly again: Again;
  /** The wait that the other side asks for, ms; null if it asks for none. */
  readonly retryAfterMs: number | null;
}

export type SendResult =
  | { readonly status: "sent" }
  | SendFailed
  /** No mail server is configured. */
  | { readonly status: "skipped"; readonly reason: "not_configured" };

export interface SignedWebhook {
  readonly url: string;
  /** Each of them signs; its form is `whsec_` and base64. */
  readonly secrets: readonly string[];
}

/** Makes one attempt and never throws; `id` is the same over all attempts of one message. */
export interface Notifier {
  readonly send: (
    channel: MessageChannel,
    /** A mail address, or the URL of a chat webhook. */
    destination: string,
    message: Message,
    id: string,
  ) => Promise<SendResult>;
  /** Signs the event for the attempt at `now`, and makes its link absolute. */
  readonly post: (
    webhook: SignedWebhook,
    event: WebhookEvent,
    id: string,
    now: Instant,
  ) => Promise<SendResult>;
}
