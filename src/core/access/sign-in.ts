import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { isMailAddress } from "../notice/mail-address.ts";
import { hourMs, minuteMs } from "../time.ts";

/** Characters. There are no composition rules: length is what makes a password hard to guess. */
export const passwordLength = { least: 10, most: 200 } as const;

export const signUpPolicies = ["open", "invite", "closed"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

export const newEmail = (): z.ZodType<string> =>
  accepting(
    z.string().trim().toLowerCase().refine(isMailAddress),
    "one plain e-mail address, such as you@example.org",
  );

/** Not checked as an address: it only has to match an account's. */
export const typedEmail = (): z.ZodType<string> =>
  accepting(z.string().trim().toLowerCase().min(1).max(320), "the e-mail address of the account");

const length = (text: string): number => [...text].length;

export const newPasswordField = (): z.ZodType<string> =>
  accepting(
    z
      .string()
      .max(2 * passwordLength.most)
      .refine((text) => length(text) >= passwordLength.least && length(text) <= passwordLength.most),
    `${passwordLength.least} to ${passwordLength.most} characters, any of them`,
  );

/** Not checked against the rules for new passwords. */
export const typedPassword = (): z.ZodType<string> =>
  accepting(z.string().min(1).max(1000), "the password of the account");

export const typedCode = (): z.ZodType<string> =>
  accepting(z.string().min(1).max(200), "the code of the link");

/** Rate limits; a window opens with the first try. */
export const attemptsAllowed = {
  /** Wrong passwords of one account from any browser; a try counts until it proves right. */
  account: { lengthMs: 15 * minuteMs, limit: 10 },
  /** Wrong passwords in one browser that is signed in, or in which the account signed in before. */
  ownBrowser: { lengthMs: 15 * minuteMs, limit: 10 },
  /** Passwords in such browsers at one network address; tries in other browsers count in neither. */
  ownBrowsersOfAddress: { lengthMs: 15 * minuteMs, limit: 60 },
  /** Passwords and set-up codes from one network address, right or wrong: many people may share it. */
  address: { lengthMs: 15 * minuteMs, limit: 60 },
  /** Wrong second factors, for each account and kind of browser, and all from one network address. */
  factor: { lengthMs: 15 * minuteMs, limit: 10 },
  factorsOfAddress: { lengthMs: 15 * minuteMs, limit: 60 },
  /** From one network address. */
  signUp: { lengthMs: hourMs, limit: 10 },
  /** To one mail address, and requested from one network address. */
  mail: { lengthMs: hourMs, limit: 3 },
  mailsOfAddress: { lengthMs: hourMs, limit: 20 },
} as const;
