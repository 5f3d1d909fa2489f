import type { Instant } from "../time.ts";

/** Who did it: an admin in the browser, the operator's command line, or the service of its own accord. */
export type By =
  | { readonly who: "admin"; readonly accountId: string }
  | { readonly who: "command_line" | "service" };

/** Somebody's act at a moment: what a change is written down with, in the same transaction. */
export interface Act {
  readonly by: By;
  readonly now: Instant;
}

type EntryKind =
  | "service_started"
  | "service_stopped"
  | "schema_migrated"
  | "job_failed"
  | "secret_accepted"
  | "secret_replaced"
  | "values_unreadable"
  | "mail_failed"
  | "account_created"
  | "account_deleted"
  | "token_revoked"
  | "plan_changed"
  | "role_changed"
  | "email_verified"
  | "password_reset"
  | "second_factor_reset"
  | "second_factor_opened"
  | "invitation_made"
  | "invitation_withdrawn"
  | "offer_created"
  | "offer_changed"
  | "offers_imported"
  | "offer_deleted"
  | "offer_certified"
  | "certificate_ended"
  | "dispute_opened"
  | "dispute_closed"
  | "server_taken_off_offer"
  | "provider_deleted"
  | "runner_created"
  | "runner_revoked";

/** What is written down. Its words name nobody: whom it is about stands apart, so that it can be forgotten. */
export interface NewEntry {
  readonly kind: EntryKind;
  /** A sentence with ids and short names; never a secret, an address, or somebody's text. */
  readonly words: string;
  /** The account it is about; null where it is about none. */
  readonly accountId: string | null;
}

/** The account as it is called now. */
export interface NamedAccount {
  readonly id: string;
  readonly email: string;
}

export interface ServiceLogEntry {
  readonly id: string;
  readonly at: Instant;
  /** When it happened last; `at` is the first time. */
  readonly lastAt: Instant;
  readonly times: number;
  /** One of those of `NewEntry`, or of a newer version. */
  readonly kind: string;
  readonly words: string;
  /** `account` is null for all but an admin, and for one whose account was deleted. */
  readonly by: { readonly who: By["who"]; readonly account: NamedAccount | null };
  /** Null where it is about none, and once that account was deleted. */
  readonly about: NamedAccount | null;
}
