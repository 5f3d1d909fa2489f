import type { Page } from "../page.ts";
import { consentPage } from "./consent.tsx";
import { signInRefusedPage } from "./sign-in-refused.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [consentPage, signInRefusedPage];
