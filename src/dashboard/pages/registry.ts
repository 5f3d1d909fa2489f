import type { Page } from "../page.ts";
import { passwordForgotPage } from "./password-forgot.tsx";
import { passwordResetPage } from "./password-reset.tsx";
import { setUpPage } from "./set-up.tsx";
import { settingsPage } from "./settings.tsx";
import { signInPage } from "./sign-in.tsx";
import { signOutPage } from "./sign-out.tsx";
import { signUpPage } from "./sign-up.tsx";
import { verifyEmailPage } from "./verify-email.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  setUpPage,
  signInPage,
  signOutPage,
  signUpPage,
  passwordForgotPage,
  passwordResetPage,
  verifyEmailPage,
  settingsPage,
];
