import type { Page } from "../page.ts";
import { alertPage } from "./alert.tsx";
import { alertsPage } from "./alerts.tsx";
import { noticesPage } from "./notices.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [alertsPage, alertPage, noticesPage];
