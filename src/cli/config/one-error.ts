import type { Config } from "../../app/config/config.ts";
import { inOneLine } from "../start-errors/facts.ts";
import { startError } from "../start-errors/start-error.ts";

/** The words for an error that a check threw. */
export function oneError(error: unknown, config: Config): string {
  const known = startError(error, config);
  return inOneLine(known instanceof Error ? known.message : String(known));
}
