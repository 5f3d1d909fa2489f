import type { PostedAlert } from "../alert/posted-alert.ts";
import { toTimestamp } from "../time.ts";
import type { Sending } from "./sending.ts";

/** The form of the events. It changes when a field goes or gets another meaning; new fields leave it as it is. */
export const webhookVersion = 1;

/** The types of the events, by the purpose of the message. */
export const webhookTypes = {
  opened: "alert.opened",
  resolved: "alert.resolved",
  notice: "notice",
  digest: "digest",
  test: "test",
} as const;

/** What is posted to a signed webhook, as `resources/guides/webhooks.md` describes it. */
export interface WebhookEvent {
  readonly type: (typeof webhookTypes)[keyof typeof webhookTypes];
  readonly version: typeof webhookVersion;
  /** When the event happened, RFC 3339 in UTC; the same in every attempt. */
  readonly timestamp: string;
  readonly data: {
    /** The page of the dashboard about it; null when there is none. */
    readonly url: string | null;
    /** Null for events that are not about an alert. */
    readonly alert: PostedAlert["alert"] | null;
    /** The only object with text that others chose: names, titles, and the sentences that hold them. */
    readonly third_party_text: {
      readonly title: string;
      readonly lines: readonly string[];
    } & Nullable<PostedAlert["names"]>;
  };
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

const noNames = { server_name: null, rule_name: null, event_type: null, event_title: null };

/** The event of a message. Its `url` is a path, made whole where it is sent. */
export const webhookEvent = ({ purpose, message, postedAlert, queuedAt }: Sending): WebhookEvent => ({
  type: webhookTypes[purpose],
  version: webhookVersion,
  timestamp: toTimestamp(queuedAt),
  data: {
    url: message.link,
    alert: postedAlert?.alert ?? null,
    third_party_text: { title: message.title, lines: message.lines, ...(postedAlert?.names ?? noNames) },
  },
});
