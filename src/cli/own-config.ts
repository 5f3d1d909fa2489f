import type { Config } from "../app/config/config.ts";

/** The configuration of this process, loaded when a command needs it: the stdio connector needs none. */
export const config = async (): Promise<Config> => (await import("../app/config/config.ts")).processConfig();
