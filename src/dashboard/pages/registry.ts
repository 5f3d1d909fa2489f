import type { Page } from "../page.ts";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { noticesPage } from "./notices.tsx";
import { notificationsPage } from "./notifications.tsx";
import { serverRulesPage } from "./server-rules.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [
  alertsPage,
  alertPage,
  noticesPage,
  notificationsPage,
  serverRulesPage,
];
