import type { Message } from "../notice/message.ts";
import { toTimestamp, type Instant } from "../time.ts";

const mailOf = (title: string, lines: readonly string[], link: string | null): Message => ({
  title,
  lines,
  link,
  tone: "info",
});

export const verificationMail = (link: string): Message =>
  mailOf(
    "Confirm your e-mail address",
    [
      "Somebody, probably you, entered this address for an account at this Tickmark service.",
      "Open the link within 3 days to confirm the address. If it was not you, do nothing.",
    ],
    link,
  );

export const passwordResetMail = (link: string): Message =>
  mailOf(
    "Choose a new password",
    [
      "Somebody, probably you, requested a new password for the account with this address.",
      "Open the link within an hour to choose a new password. If it was not you, do nothing: the password does not change.",
    ],
    link,
  );

export const invitationMail = (link: string): Message =>
  mailOf(
    "You are invited to Tickmark",
    ["An administrator of this service invites you to make an account. Open the link within 7 days."],
    link,
  );

/** Sent to the old address of the account. */
export const emailChangedMail = (): Message =>
  mailOf(
    "The e-mail address of your account was changed",
    [
      "This is no longer the address of your account: somebody who knows the password of the account entered another address.",
      "If it was not you, ask the operator of this service to give the account back to you.",
    ],
    null,
  );

/** About codes of an app; `hasPasskeys`: passkeys stay a second factor. */
export const secondFactorMail = (isOn: boolean, hasPasskeys: boolean): Message =>
  mailOf(
    `The second factor of your account was switched ${isOn ? "on" : "off"}`,
    [
      isOn
        ? hasPasskeys
          ? "From now on a sign-in needs a passkey, or the password and a code."
          : "From now on a sign-in needs a code as well as the password."
        : hasPasskeys
          ? "From now on a sign-in needs a passkey: codes of an app are no longer accepted."
          : "From now on the password alone signs in.",
      "If it was not you, ask the operator of this service to give the account back to you.",
    ],
    null,
  );

export const passkeyMail = (change: "added" | "removed"): Message =>
  mailOf(
    `A passkey of your account was ${change}`,
    [
      change === "added"
        ? "A passkey signs in without the password. Every other browser was signed out."
        : "The passkey no longer signs in. Every other browser was signed out. If it was the only second factor, the password alone signs in now.",
      "If it was not you, ask the operator of this service to give the account back to you.",
    ],
    "/settings/security/passkeys",
  );

export const recoveryCodeUsedMail = (): Message =>
  mailOf(
    "A recovery code of your account was used",
    [
      "Somebody, probably you, used a recovery code in place of a code of the second factor.",
      "If it was not you, choose a new password at once, and replace the recovery codes.",
    ],
    "/settings/security/second-factor",
  );

/** Sent after five wrong second factors in a row: somebody knows the password. */
export const wrongFactorsMail = (address: string, at: Instant): Message =>
  mailOf(
    "Somebody has your password",
    [
      `Five wrong codes of the second factor were typed after the right password of your account, the last at ${toTimestamp(at)} from the address ${address}.`,
      "The second factor kept them out. If it was you, there is nothing to do.",
      "If it was not you, choose a new password now, and do not use the old one anywhere else.",
    ],
    "/password/forgot",
  );

/** Sent when codes were closed after 100 wrong ones; the link opens them again. */
export const closedFactorMail = (link: string): Message =>
  mailOf(
    "Codes of your account are closed",
    [
      "After the right password 100 wrong codes of the second factor were typed in a row, so that codes are no longer accepted. Passkeys and recovery codes are.",
      "Open the link within a day to use codes again. If it was not you who typed them, choose a new password first: somebody has yours.",
    ],
    link,
  );

/** `browser` is a guess in fixed words; null for an unknown program. */
export const newDeviceMail = (browser: string | null, address: string, at: Instant): Message =>
  mailOf(
    "Somebody signed in to your account from a new browser",
    [
      `${browser ?? "An unknown program"} signed in at ${toTimestamp(at)} from the address ${address}.`,
      "If it was you, there is nothing to do.",
      "If it was not you, choose a new password at once: this signs out every other browser. Then remove passkeys that you do not know: a new password does not end them.",
    ],
    "/settings/security",
  );

export const passwordChangedMail = (link: string): Message =>
  mailOf(
    "The password of your account was changed",
    [
      "Every other browser was signed out. If it was you, there is nothing to do.",
      "If it was not you, choose a new password at once, and remove passkeys that you do not know: a new password does not end them.",
    ],
    link,
  );
