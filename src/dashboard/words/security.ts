import type { SecurityKind } from "../../core/security-log/event.ts";
import type { Meaning } from "../parts/state.tsx";

const words: Readonly<Record<SecurityKind, readonly [Meaning, string]>> = {
  sign_in_refused: ["bad", "Sign-in refused"],
  password_refused: ["bad", "Password refused in a browser that was signed in"],
  second_factor_refused: ["bad", "Second factor refused"],
  set_up_refused: ["bad", "Set-up refused"],
  code_refused: ["bad", "Code refused"],
  credential_refused: ["bad", "Credential refused"],
  new_device: ["watch", "Signed in from a new browser"],
  signed_out_everywhere: ["good", "All other browsers signed out and forgotten"],
  second_factor_on: ["good", "Second factor switched on"],
  second_factor_off: ["watch", "Second factor switched off"],
  second_factor_closed: ["bad", "Codes closed after 100 wrong ones in a row"],
  second_factor_opened: ["watch", "Codes opened again by a mailed link"],
  passkey_added: ["watch", "Passkey added"],
  passkey_removed: ["watch", "Passkey removed"],
  recovery_codes_renewed: ["watch", "Recovery codes replaced"],
  recovery_code_used: ["watch", "Recovery code used"],
  password_changed: ["watch", "Password changed"],
  email_changed: ["watch", "E-mail address changed"],
  email_verified: ["good", "E-mail address verified"],
  role_changed: ["watch", "Role changed"],
  plan_changed: ["good", "Plan changed"],
  token_created: ["watch", "Token made"],
  token_revoked: ["good", "Token revoked"],
  rights_changed: ["watch", "Rights of a token changed"],
  profile_link_created: ["watch", "Link to a profile made"],
  profile_link_revoked: ["good", "Link to a profile revoked"],
  consent_given: ["watch", "Program connected"],
  consent_denied: ["good", "Program declined"],
};

/** A kind that a newer version wrote is shown by its name. */
export const securityWords = (kind: string): readonly [Meaning, string] =>
  Object.hasOwn(words, kind) ? words[kind as SecurityKind] : ["watch", kind.replaceAll("_", " ")];
