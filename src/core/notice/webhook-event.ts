import type { PostedAlert } from "../alert/posted-alert.ts";
import { toTimestamp } from "../time.ts";
import type { Sending } from "./sending.ts";

/** Changes when a field is removed or gets another meaning; new fields leave it as it is. */
export const webhookVersion = 1;

export const webhookTypes = {
  opened: "alert.opened",
  resolved: "alert.resolved",
  notice: "notice",
  digest: "digest",
  test: "test",
} as const;

/** `resources/guides/webhooks.md` describes the event. */
export interface WebhookEvent {
  readonly type: (typeof webhookTypes)[keyof typeof webhookTypes];
  readonly version: typeof webhookVersion;
  /** When the event happened, RFC 3339 in UTC; the same in every attempt. */
  readonly timestamp: string;
  readonly data: {
    /** A page of the dashboard; null if there is none. */
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

/** The `url` is a path, made absolute when the event is sent. */
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
