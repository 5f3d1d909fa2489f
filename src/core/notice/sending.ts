import type { PostedAlert } from "../alert/posted-alert.ts";
import type { Instant } from "../time.ts";
import type { Message } from "./message.ts";

export type DispatchPurpose = "opened" | "resolved" | "notice" | "digest";

export interface Sending {
  /** Stays the same over all attempts of one message. */
  readonly id: string;
  readonly purpose: DispatchPurpose | "test";
  readonly message: Message;
  readonly postedAlert: PostedAlert | null;
  readonly queuedAt: Instant;
  /** The time of this attempt. */
  readonly now: Instant;
}
