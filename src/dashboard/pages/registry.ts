import type { Page } from "../page.ts";
import { serverNowPage } from "./server-now.tsx";
import { serversPage } from "./servers.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [serversPage, serverNowPage];
