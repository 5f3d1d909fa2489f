import type { ListedToken } from "../access/account.ts";
import type { NamedAccount } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";

/** Attempts that were refused. Anybody can make as many of them as they like. */
const refusedKinds = [
  "sign_in_refused",
  "password_refused",
  "second_factor_refused",
  "set_up_refused",
  "code_refused",
  "credential_refused",
] as const;

/** Changes that somebody was let in to make. */
const changeKinds = [
  "new_device",
  "signed_out_everywhere",
  "password_changed",
  "second_factor_on",
  "second_factor_off",
  "second_factor_closed",
  "second_factor_opened",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_renewed",
  "recovery_code_used",
  "email_changed",
  "email_verified",
  "role_changed",
  "plan_changed",
  "token_created",
  "token_revoked",
  "profile_link_created",
  "profile_link_revoked",
  "consent_given",
  "consent_denied",
] as const;

export const securityKinds = [...refusedKinds, ...changeKinds] as const;
export type SecurityKind = (typeof securityKinds)[number];

const refused: ReadonlySet<string> = new Set(refusedKinds);
export const isRefusedKind = (kind: SecurityKind): boolean => refused.has(kind);

/** What happened. Never holds a secret, a password, a mail address, or what somebody typed. */
export interface SecurityEvent {
  readonly kind: SecurityKind;
  /** The account it is about; null where it is about none that exists. */
  readonly accountId: string | null;
  /** The part of the client's address that counts as one caller; null where there was no client. */
  readonly address: string | null;
  /** The token or grant it is about. */
  readonly tokenId: string | null;
  /** A few fixed words that say more than the kind, such as why it was refused. */
  readonly detail: string | null;
}

/** Alike events close together: so many times between two moments. */
export interface SecurityRow extends SecurityEvent {
  readonly id: string;
  readonly at: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

/** Takes note of events in memory alone; never fails. */
export interface SecurityNotes {
  note(event: SecurityEvent, now: Instant): void;
}

/** As people read it. */
export interface SecurityRecord extends Omit<SecurityRow, "kind" | "accountId" | "tokenId"> {
  /** One of those of `SecurityEvent`, or of a newer version. */
  readonly kind: string;
  readonly account: NamedAccount | null;
  /** As it is named now; one whose row is gone has no name. */
  readonly token: Pick<ListedToken, "id" | "name"> | null;
}
