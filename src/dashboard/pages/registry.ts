import type { Page } from "../page.ts";
import { setUpPage } from "./set-up.tsx";
import { signInPage } from "./sign-in.tsx";
import { signOutPage } from "./sign-out.tsx";
import { signUpPage } from "./sign-up.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [setUpPage, signInPage, signOutPage, signUpPage];
