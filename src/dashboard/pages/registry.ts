import type { Page } from "../page.ts";
import { serversPage } from "./servers.tsx";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [serversPage];
