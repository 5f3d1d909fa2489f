import type { Config } from "../config.ts";

/** The configuration of this process, loaded when a command needs it: the stdio connector needs none. */
export const config = async (): Promise<Config> => (await import("../config.ts")).processConfig();
