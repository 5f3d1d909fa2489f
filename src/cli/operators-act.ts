import type { Act } from "../core/service-log/entry.ts";

/** For an entry of the service's log about a command. */
export const operatorsAct = (now: number = Date.now()): Act => ({ by: { who: "command_line" }, now });
