import type { PostedAlert } from "../alert/posted-alert.ts";
import type { Instant } from "../time.ts";
import type { Message } from "./message.ts";

/** What a message that goes out is about. */
export type DispatchPurpose = "opened" | "resolved" | "notice" | "digest";

/** What is sent in one attempt. */
export interface Sending {
  /** Stays the same over all attempts of one message. */
  readonly id: string;
  readonly purpose: DispatchPurpose | "test";
  readonly message: Message;
  readonly postedAlert: PostedAlert | null;
  readonly queuedAt: Instant;
  /** When this attempt is made. */
  readonly now: Instant;
}
