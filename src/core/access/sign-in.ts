import { z } from "zod";
import { accepting } from "../accepted-form.ts";
import { isMailAddress } from "../notice/mail-address.ts";
import { hourMs, minuteMs } from "../time.ts";

/** Characters. No rule of composition: length is what makes a password hard to guess. */
export const passwordLength = { least: 10, most: 200 } as const;

/** Who may make an account by themselves. */
export const signUpPolicies = ["open", "invite", "closed"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

/** A new mail address of an account, in lower case. */
export const newEmail = (): z.ZodType<string> =>
  accepting(
    z.string().trim().toLowerCase().refine(isMailAddress),
    "one plain e-mail address, such as you@example.org",
  );

/** An address as somebody typed it who says that it is theirs. */
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

/** A password as somebody typed it who says that they know it. */
export const typedPassword = (): z.ZodType<string> =>
  accepting(z.string().min(1).max(1000), "the password of the account");

/** A code as it stands in a link. */
export const typedCode = (): z.ZodType<string> =>
  accepting(z.string().min(1).max(200), "the code of the link");

/** How often one account, or one address, may try; windows open with the first try. */
export const attemptsAllowed = {
  /** Wrong passwords of one account, whoever types them; a right one counts until it is known to be right. */
  account: { lengthMs: 15 * minuteMs, limit: 10 },
  /** Wrong passwords from one browser that is signed in, or in which the account signed in before. */
  ownBrowser: { lengthMs: 15 * minuteMs, limit: 10 },
  /** Passwords from such browsers at one address. Strangers fill neither of the two. */
  ownBrowsersOfAddress: { lengthMs: 15 * minuteMs, limit: 60 },
  /** Passwords and set-up codes from one address, right or wrong: many people may share it. */
  address: { lengthMs: 15 * minuteMs, limit: 60 },
  /** Wrong codes of a second factor of one account, from one browser of its own, and codes from one address. */
  factor: { lengthMs: 15 * minuteMs, limit: 10 },
  factorsOfAddress: { lengthMs: 15 * minuteMs, limit: 60 },
  /** New accounts from one address. */
  signUp: { lengthMs: hourMs, limit: 10 },
  /** Mails to one mail address, and mails asked for from one address. */
  mail: { lengthMs: hourMs, limit: 3 },
  mailsOfAddress: { lengthMs: hourMs, limit: 20 },
} as const;
