import type { Instant } from "../time.ts";
import type { MessageChannel } from "./channel.ts";
import type { Message } from "./message.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Why a message did not go out; `unreadable`: no secret of the service opens the stored address. */
export type SendFailure = "provider_error" | "timeout" | "rate_limited" | "unreadable";

/**
 * Whether a failed message is worth another attempt: `later` it may go out; `never`: it was refused for good;
 * `unknown`: all of it was sent and nothing answered, so that it may have arrived.
 */
export type Again = "later" | "never" | "unknown";

export interface SendFailed {
  readonly status: "failed";
  readonly reason: SendFailure;
  /** For the operator's log alone; it holds neither an address nor a URL. */
  readonly detail: string;
  readonly again: Again;
  /** How long the other side asks to wait, ms; null where it does not say. */
  readonly retryAfterMs: number | null;
}

export type SendResult =
  | { readonly status: "sent" }
  | SendFailed
  /** The operator gave the service no way to send mail. */
  | { readonly status: "skipped"; readonly reason: "not_configured" };

/** Where the events of an account go. */
export interface SignedWebhook {
  readonly url: string;
  /** Each of them signs: `whsec_` and base64. */
  readonly secrets: readonly string[];
}

/** One attempt to tell somebody. Never throws; `id` stays the same over all attempts of one message. */
export interface Notifier {
  readonly send: (
    channel: MessageChannel,
    /** A mail address, or the URL of a chat webhook. */
    destination: string,
    message: Message,
    id: string,
  ) => Promise<SendResult>;
  /** Posts an event, signed for the attempt at `now`; the link in it is a path until then. */
  readonly post: (
    webhook: SignedWebhook,
    event: WebhookEvent,
    id: string,
    now: Instant,
  ) => Promise<SendResult>;
}
