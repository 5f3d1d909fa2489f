import type { PlanName } from "../access/plan.ts";
import { hourMs, type Instant } from "../time.ts";
import type { PostedAlert } from "../alert/posted-alert.ts";
import type { Message } from "./message.ts";
import type { OutsideChannel } from "./channel.ts";
import type { SendResult } from "./notifier.ts";
import type { DispatchPurpose } from "./sending.ts";
import type { Attempted } from "./retry.ts";

/** Addresses are sealed: the store cannot read them. */
export interface NotificationSettings {
  /** Null: the account's own e-mail address. */
  readonly sealedEmail: string | null;
  readonly emailVerifiedAt: Instant | null;
  readonly sealedChat: string | null;
  readonly sealedWebhook: string | null;
  /** All secrets that sign events, sealed as one text; null without a webhook. */
  readonly sealedWebhookSecrets: string | null;
  readonly noticesByEmail: boolean;
  readonly noticesByChat: boolean;
  readonly noticesByWebhook: boolean;
  readonly digestByEmail: boolean;
  readonly digestByChat: boolean;
  /** Gets messages that another channel could not deliver. */
  readonly secondChannel: OutsideChannel | null;
}

export const defaultSettings: NotificationSettings = {
  sealedEmail: null,
  emailVerifiedAt: null,
  sealedChat: null,
  sealedWebhook: null,
  sealedWebhookSecrets: null,
  noticesByEmail: false,
  noticesByChat: false,
  noticesByWebhook: false,
  digestByEmail: false,
  digestByChat: false,
  secondChannel: null,
};

/** An address that somebody entered, and that waits for the code that was mailed there. */
export interface PendingAddress {
  readonly sealed: string;
  readonly codeDigest: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export const confirmationLifetimeMs = 30 * 60_000;
export const confirmationTries = 5;
export const confirmationsPerDay = 5;

export interface Recipient {
  readonly accountId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly plan: PlanName;
  readonly settings: NotificationSettings;
}

/** Test messages of an account, in a sliding window (the specification's limit). */
export const testsPerWindow = 5;
export const testWindowMs = 10 * 60_000;

/** A message one process may try to send now. */
export interface Dispatch extends Attempted {
  readonly id: string;
  readonly channel: OutsideChannel;
  /** Another channel could not deliver the message before. */
  readonly isSecond: boolean;
  readonly purpose: DispatchPurpose;
  readonly message: Message;
  /** Null for messages that are not about an alert. */
  readonly postedAlert: PostedAlert | null;
  /** The alert that records the outcome; null for notices and digests. */
  readonly alertId: string | null;
  /** Why the alert must not be sent now although it was queued; null if it may be. */
  readonly quiet: "maintenance" | "muted" | null;
  readonly recipient: Recipient;
}

/** Messages that are skipped for these reasons are skipped before anything is sent. */
export type DispatchResult =
  | SendResult
  | {
      readonly status: "skipped";
      readonly reason: "address_unverified" | "plan_required" | "maintenance" | "muted" | "account_disabled";
    };

/** Messages held for longer while their account was disabled are skipped, ms. */
export const heldForMs = hourMs;
