import type { PlanName } from "../access/plan.ts";
import { hourMs, type Instant } from "../time.ts";
import type { PostedAlert } from "../alert/posted-alert.ts";
import type { Message } from "./message.ts";
import type { OutsideChannel } from "./channel.ts";
import type { SendResult } from "./notifier.ts";
import type { DispatchPurpose } from "./sending.ts";
import type { Attempted } from "./retry.ts";

/** The addresses that an account is notified at. They are sealed: the store cannot read them. */
export interface NotificationSettings {
  /** Null: the account's own e-mail address. */
  readonly sealedEmail: string | null;
  readonly emailVerifiedAt: Instant | null;
  /** Null: no chat webhook. */
  readonly sealedChat: string | null;
  /** Null: no signed webhook. */
  readonly sealedWebhook: string | null;
  /** The secrets that sign its events, sealed as one text; null without a webhook. */
  readonly sealedWebhookSecrets: string | null;
  readonly noticesByEmail: boolean;
  readonly noticesByChat: boolean;
  readonly noticesByWebhook: boolean;
  /** The weekly digest. */
  readonly digestByEmail: boolean;
  readonly digestByChat: boolean;
  /** The channel that gets what another could not deliver; null for none. */
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

/** An address that was typed in, until whoever reads its mail types in the code that was sent there. */
export interface PendingAddress {
  readonly sealed: string;
  readonly codeDigest: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A code is good for half an hour and five tries; an account has five of them mailed in a day. */
export const confirmationLifetimeMs = 30 * 60_000;
export const confirmationTries = 5;
export const confirmationsPerDay = 5;

/** Whom a message is for. */
export interface Recipient {
  readonly accountId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly plan: PlanName;
  readonly settings: NotificationSettings;
}

/** Test messages of an account: five in ten minutes, sliding (the specification's limit). */
export const testsPerWindow = 5;
export const testWindowMs = 10 * 60_000;

/** A message one process may try to send now. */
export interface Dispatch extends Attempted {
  readonly id: string;
  readonly channel: OutsideChannel;
  /** Whether another channel could not deliver it before. */
  readonly isSecond: boolean;
  readonly purpose: DispatchPurpose;
  readonly message: Message;
  /** What a webhook tells of the alert; null for other messages. */
  readonly postedAlert: PostedAlert | null;
  /** The alert whose record says what became of it; null for notices and digests. */
  readonly alertId: string | null;
  /** Why its alert is sent to nobody now although it was queued; null when it is sent. */
  readonly quiet: "maintenance" | "muted" | null;
  readonly recipient: Recipient;
}

/** How an attempt ended; what is skipped for these reasons is known before anything is sent. */
export type DispatchResult =
  | SendResult
  | {
      readonly status: "skipped";
      readonly reason: "address_unverified" | "plan_required" | "maintenance" | "muted" | "account_disabled";
    };

/** A message that was held while its account was disabled is sent afterwards only if it was queued since then, ms. */
export const heldForMs = hourMs;
