import type { Page } from "../page.ts";
import { activityPage } from "./activity.tsx";
import { securityPage } from "./security.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [securityPage, activityPage];
