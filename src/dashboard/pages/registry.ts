import type { Page } from "../page.ts";

/** Every page of the dashboard. */
export const pages: readonly Page[] = [];
