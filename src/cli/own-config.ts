import type { Config } from "../app/config/config.ts";

/** Loaded when a command needs it, because the stdio connector needs no configuration. */
export const config = async (): Promise<Config> => (await import("../app/config/config.ts")).processConfig();
