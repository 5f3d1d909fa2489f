import type { Config } from "../../app/config/config.ts";
import { Unavailable } from "../../core/errors.ts";
import { fileError } from "./file-errors.ts";
import { listenError } from "./listen-errors.ts";
import { postgresError } from "./postgres-errors.ts";
import { sqliteError } from "./sqlite-errors.ts";

/** The message of `Unavailable` is for callers; its cause says why the database cannot be used. */
const causeOf = (error: unknown): unknown =>
  error instanceof Unavailable && error.cause instanceof Error ? error.cause : error;

/** Known errors become one line that says what to do; an error with a status is such a line already. */
export function startError(error: unknown, config: Config): unknown {
  if (error instanceof Error && "status" in error) return error;
  const cause = causeOf(error);
  return listenError(cause, config) ?? databaseError(cause, config) ?? error;
}

function databaseError(error: unknown, { databaseUrl }: Config): Error | null {
  if (!databaseUrl.startsWith("sqlite:")) return postgresError(error, databaseUrl);
  const path = databaseUrl.slice("sqlite:".length);
  const place = { what: "the database", setting: "TICKMARK_DATABASE_URL" };
  return sqliteError(error, path) ?? fileError(error, place);
}
