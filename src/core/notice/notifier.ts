import type { Message } from "./message.ts";

/** The channels that leave the building; an in-app notice is a row of our own. */
export type OutsideChannel = "email" | "chat";

/** Why a message did not go out. */
export type SendFailure = "provider_error" | "timeout" | "rate_limited";

export type SendResult =
  | { readonly status: "sent" }
  /** `detail` is for the operator's log alone; it holds neither an address nor a URL. */
  | { readonly status: "failed"; readonly reason: SendFailure; readonly detail: string }
  /** The operator gave the service no way to send mail. */
  | { readonly status: "skipped"; readonly reason: "not_configured" };

/** One attempt to tell somebody. Never throws; `id` stays the same over all attempts of one message. */
export interface Notifier {
  readonly send: (
    channel: OutsideChannel,
    /** A mail address, or the URL of a chat webhook. */
    destination: string,
    message: Message,
    id: string,
  ) => Promise<SendResult>;
}
