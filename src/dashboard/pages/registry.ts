import type { Page } from "../page.ts";
import { deleteAccountPage } from "./delete-account.tsx";
import { groupsPage } from "./groups.tsx";
import { relinkPage } from "./relink.tsx";
import { serverSettingsPage } from "./server-settings.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [relinkPage, serverSettingsPage, groupsPage, deleteAccountPage];
