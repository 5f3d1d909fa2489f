import type { Instant } from "../time.ts";

/** An admin in the browser, the operator's command line, or the service by itself. */
export type By =
  | { readonly who: "admin"; readonly accountId: string }
  | { readonly who: "command_line" | "service" };

/** Recorded with a change, in the same transaction. */
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

/** `words` names nobody: the account is a field of its own, so that it can be forgotten. */
export interface NewEntry {
  readonly kind: EntryKind;
  /** A sentence with ids and short names; never a secret, an address, or somebody's text. */
  readonly words: string;
  /** Null if the entry concerns no account. */
  readonly accountId: string | null;
}

/** The current address of the account. */
export interface NamedAccount {
  readonly id: string;
  readonly email: string;
}

export interface ServiceLogEntry {
  readonly id: string;
  readonly at: Instant;
  /** The last time; `at` is the first. */
  readonly lastAt: Instant;
  readonly times: number;
  /** A kind of `NewEntry`, or of a newer version. */
  readonly kind: string;
  readonly words: string;
  /** `account` is null unless an admin did it whose account still exists. */
  readonly by: { readonly who: By["who"]; readonly account: NamedAccount | null };
  /** Null if the entry concerns no account, or that account was deleted. */
  readonly about: NamedAccount | null;
}
