import type { Act } from "../core/service-log/entry.ts";

/** What a command does, for the service's log. */
export const operatorsAct = (now: number = Date.now()): Act => ({ by: { who: "command_line" }, now });
