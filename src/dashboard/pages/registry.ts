import type { Page } from "../page.ts";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { consentPage } from "./consent.tsx";
import { noticesPage } from "./notices.tsx";
import { notificationsPage } from "./notifications.tsx";
import { serverRulesPage } from "./server-rules.tsx";
import { signInRefusedPage } from "./sign-in-refused.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  alertPage,
  alertsPage,
  consentPage,
  noticesPage,
  notificationsPage,
  serverRulesPage,
  signInRefusedPage,
];
