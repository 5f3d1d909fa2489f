import type { ListedToken } from "../access/account.ts";
import type { NamedAccount } from "../service-log/entry.ts";
import type { Instant } from "../time.ts";

/** Anybody can cause any number of these. */
const refusedKinds = [
  "sign_in_refused",
  "password_refused",
  "second_factor_refused",
  "set_up_refused",
  "code_refused",
  "credential_refused",
] as const;

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
  "rights_changed",
  "profile_link_created",
  "profile_link_revoked",
  "consent_given",
  "consent_denied",
] as const;

export const securityKinds = [...refusedKinds, ...changeKinds] as const;
export type SecurityKind = (typeof securityKinds)[number];

const refused: ReadonlySet<string> = new Set(refusedKinds);
export const isRefusedKind = (kind: SecurityKind): boolean => refused.has(kind);

/** Never holds a secret, a password, a mail address, or text that somebody typed. */
export interface SecurityEvent {
  readonly kind: SecurityKind;
  /** Null if no existing account is concerned. */
  readonly accountId: string | null;
  /** The part of the client's address that counts as one caller; null where there was no client. */
  readonly address: string | null;
  /** A token or a grant. */
  readonly tokenId: string | null;
  /** A few fixed words beside the kind, such as the reason of a refusal. */
  readonly detail: string | null;
}

/** Equal events close together: `times` of them from `at` to `lastAt`. */
export interface SecurityRow extends SecurityEvent {
  readonly id: string;
  readonly at: Instant;
  readonly lastAt: Instant;
  readonly times: number;
}

/** Keeps events in memory only; never fails. */
export interface SecurityNotes {
  note(event: SecurityEvent, now: Instant): void;
}

export interface SecurityRecord extends Omit<SecurityRow, "kind" | "accountId" | "tokenId"> {
  /** A kind of `SecurityEvent`, or of a newer version. */
  readonly kind: string;
  readonly account: NamedAccount | null;
  /** `name` is the current one, empty if the row is gone. */
  readonly token: Pick<ListedToken, "id" | "name"> | null;
}
